{#
    Results that count for meetings: with a placement, and not withdrawn. One row per tournament and player, with the
    placement and the day on which the tournament ended.
#}
{% macro results_that_meet() -%}
    select
        results.tournament_id,
        results.player_id,
        results.placement,
        tournaments.ended_on
    from {{ mart('tournament_results') }} as results
    inner join {{ mart('tournaments') }} as tournaments on results.tournament_id = tournaments.tournament_id
    where results.placement is not null and not results.is_withdrawn
{%- endmacro %}
