{{ config(enabled=target.type == 'spark') }}
-- Grain: one row per update.
-- The rating ledger as a fold, because recursion on Spark has a limit of levels and starts a job for each. It takes the
-- same steps in the same order as the recursion in models/intermediate/ratings.
--
-- The fold collects the ratings of a career in an array: the starting rating, then the rating after each tournament.
-- Update numbers are consecutive within a career, so the position in the array identifies the update.

with careers as (
    select
        rating_system_id,
        player_id,
        min(update_number) as first_update,
        min(starting_rating) as starting_rating,
        array_sort(collect_list(struct(event_number, percentile_score, tournament_value))) as events
    from {{ ref('int_rating_updates') }}
    group by rating_system_id, player_id
),

rated as (
    select
        first_update,
        aggregate(
            events,
            array(starting_rating),
            (ratings, event) -> concat(ratings, array(
                {{ rating_after('element_at(ratings, -1)', 'event.percentile_score', 'event.tournament_value') }}
            ))
        ) as ratings
    from careers
)

select
    cast(rated.first_update + steps.step as integer) as update_number,
    steps.rating.`0` as rating_before,
    steps.rating.`1` as rating_after
from rated
lateral view posexplode(
    arrays_zip(slice(ratings, 1, size(ratings) - 1), slice(ratings, 2, size(ratings) - 1))
) steps as step, rating
