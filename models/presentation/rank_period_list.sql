-- Grain: one row per rating system and player who was ever ranked.
-- A page gets the rank of any day from it: 1, and the number of players whose rating of that day is higher.

with ordered as (
    select
        rating_system_id,
        player_id,
        cast(strftime(valid_from, '%Y%m%d') as integer) as day,
        -- Whole numbers are shorter than unrounded ratings, and in the same order.
        cast(dense_rank() over (
            partition by rating_system_id
            order by {{ to_nine_decimals('rating') }}
        ) as integer) as rating_order
    from {{ mart('rating_periods') }}
    where is_ranked
)

select
    rating_system_id,
    player_id,
    list([day, rating_order] order by day) as periods
from ordered
group by rating_system_id, player_id
