-- After k players at placement p the next listed placement is at least p + k: 1, 2, 2, 4. A table that says
-- 1, 2, 2, 3 counts differently, and every percentile score below the tie would be wrong.
with tied as (
    select
        tournament_id,
        players,
        placement,
        count(*) as players_at_placement
    from {{ ref('int_scored_results') }}
    where placement is not null
    group by tournament_id, players, placement
),

followed as (
    select
        *,
        lead(placement, 1, players + 1) over (
            partition by tournament_id
            order by placement nulls last
        ) as next_placement
    from tied
)

select *
from followed
where next_placement < placement + players_at_placement
