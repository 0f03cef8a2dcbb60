{#
    The rating ledger by recursion, the caller's text; on Spark by a fold, because recursion there has a limit of levels
    and starts a job for each. Both take the same steps in the same order.

    The fold collects the ratings of a career in an array: the starting rating, then the rating after each tournament.
    Update numbers are consecutive within a career, so the position in the array identifies the update.
#}
{% macro recursion_or_fold(updates, starting_ratings) -%}
    {{ adapter.dispatch('recursion_or_fold')(caller(), updates, starting_ratings) }}
{%- endmacro %}

{% macro duckdb__recursion_or_fold(recursion, updates, starting_ratings) -%}
    {{ recursion }}
{%- endmacro %}

{% macro spark__recursion_or_fold(recursion, updates, starting_ratings) -%}
    with careers as (
        select
            rating_system_id,
            player_id,
            min(update_number) as first_update,
            array_sort(collect_list(struct(event_number, percentile_score, tournament_value))) as events
        from {{ updates }}
        group by rating_system_id, player_id
    ),

    rated as (
        select
            careers.first_update,
            aggregate(
                careers.events,
                array(starting_ratings.rating),
                (ratings, event) -> concat(ratings, array(
                    {{ rating_after('element_at(ratings, -1)', 'event.percentile_score', 'event.tournament_value') }}
                ))
            ) as ratings
        from careers
        inner join {{ starting_ratings }} as starting_ratings using (rating_system_id, player_id)
    )

    select
        cast(rated.first_update + steps.step as integer) as update_number,
        steps.rating.`0` as rating_before,
        steps.rating.`1` as rating_after
    from rated
    lateral view posexplode(
        arrays_zip(slice(ratings, 1, size(ratings) - 1), slice(ratings, 2, size(ratings) - 1))
    ) steps as step, rating
{%- endmacro %}
