{#
    The ranking at the end of any day: one filter on the rating periods, and one rank.

    `days` has `rating_system_id` and `day`, one row per requested ranking; `periods` is the table of rating periods.
    Players without a counted tournament or an opening rating by then are not ranked. Each requested day costs one pass
    over the periods.
#}
{% macro rankings_on(days, periods) -%}
    select
        periods.rating_system_id,
        days.day,
        {{ rank_by('periods.rating', within='periods.rating_system_id, days.day') }} as rank,
        periods.player_id,
        periods.rating,
        periods.tournaments_counted,
        periods.last_played_on
    from {{ periods }} as periods
    inner join {{ days }} as days using (rating_system_id)
    where
        periods.is_ranked
        and periods.valid_from <= days.day
        and (periods.valid_to > days.day or periods.valid_to is null)
{%- endmacro %}
