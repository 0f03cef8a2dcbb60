-- Grain: one row per rating system and ranked player.

select
    ratings.rating_system_id,
    ratings.rank,
    ratings.player_id,
    players.first_name,
    players.last_name,
    players.nation_code,
    ratings.rating,
    ratings.tournaments_counted,
    ratings.last_played_on
from {{ ref('int_current_ratings') }} as ratings
inner join {{ ref('int_players') }} as players on ratings.player_id = players.player_id
where ratings.rank is not null
order by ratings.rating_system_id, ratings.rank, ratings.player_id
