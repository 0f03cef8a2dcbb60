-- Grain: one row per rating system and band of five points, from the lowest rating to the highest.

with bands as (
    select
        rating_system_id,
        unnest(generate_series(
            cast(floor(min(rating) / 5) as integer), cast(floor(max(rating) / 5) as integer)
        )) as band
    from {{ mart('international_ranking') }}
    group by rating_system_id
)

select
    bands.rating_system_id,
    cast(bands.band * 5 as integer) as rated_from,
    cast(bands.band * 5 + 5 as integer) as rated_below,
    cast(count(ranking.player_id) as integer) as players
from bands
left join {{ mart('international_ranking') }} as ranking
    on
        bands.rating_system_id = ranking.rating_system_id
        and floor(ranking.rating / 5) = bands.band
group by bands.rating_system_id, bands.band
