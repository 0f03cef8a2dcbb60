-- Grain: one row per rating system other than the default one, and player ranked by either.

with default_ratings as (
    select * from {{ ref('int_current_ratings') }}
    where rating_system_id = {{ default_system() }}
)

select
    variants.rating_system_id,
    variants.player_id,
    players.first_name,
    players.last_name,
    players.nation_code,
    variants.rank,
    default_ratings.rank as default_rank,
    default_ratings.rank - variants.rank as places_gained,
    variants.rating,
    default_ratings.rating as default_rating,
    variants.rating - default_ratings.rating as rating_gained,
    variants.tournaments_counted,
    default_ratings.tournaments_counted as default_tournaments_counted
from {{ ref('int_current_ratings') }} as variants
inner join default_ratings on variants.player_id = default_ratings.player_id
inner join {{ ref('int_players') }} as players on variants.player_id = players.player_id
where
    variants.rating_system_id != default_ratings.rating_system_id
    and (variants.rank is not null or default_ratings.rank is not null)
order by variants.rating_system_id, variants.rank nulls last, default_ratings.rank nulls last, variants.player_id
