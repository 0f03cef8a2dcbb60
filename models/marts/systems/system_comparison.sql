-- Grain: one row per rating system other than the one shown first, and player whom it or that one ranks.

with ratings as (
    select * from {{ ref('int_current_ratings') }}
),

published as (
    select * from ratings
    where rating_system_id = {{ shown_system() }}
)

select
    variants.rating_system_id,
    variants.player_id,
    players.first_name,
    players.last_name,
    players.nation_code,
    variants.rank,
    published.rank as published_rank,
    published.rank - variants.rank as places_gained,
    variants.rating,
    published.rating as published_rating,
    variants.rating - published.rating as rating_gained,
    variants.tournaments_counted,
    published.tournaments_counted as published_tournaments_counted
from ratings as variants
inner join published on variants.player_id = published.player_id
inner join {{ ref('int_players') }} as players on variants.player_id = players.player_id
where
    variants.rating_system_id != published.rating_system_id
    and (variants.rank is not null or published.rank is not null)
order by variants.rating_system_id, variants.rank nulls last, published.rank nulls last, variants.player_id
