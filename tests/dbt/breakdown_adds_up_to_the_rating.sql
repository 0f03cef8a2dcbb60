-- The product of the breakdown and the recursion of the ledger compute the same rating. A difference means that one is
-- wrong.
with breakdown as (
    select
        rating_system_id,
        player_id,
        sum(weight) as weight,
        sum(contribution) as rating
    from {{ ref('rating_breakdown') }}
    group by rating_system_id, player_id
)

select
    ratings.rating_system_id,
    ratings.player_id,
    ratings.rating,
    breakdown.rating as rating_by_breakdown,
    breakdown.weight
from {{ ref('int_current_ratings') }} as ratings
left join breakdown using (rating_system_id, player_id)
-- A missing sum and NaN fail, too.
where
    (abs(breakdown.rating - ratings.rating) <= 1e-9) is not true
    or (abs(breakdown.weight - 1) <= 1e-9) is not true
