-- Grain: one row per rating system and active ranked player.

select
    ratings.rating_system_id,
    {{ rank_by('ratings.rating', within='ratings.rating_system_id') }} as rank,
    ratings.rank as international_rank,
    ratings.player_id,
    players.first_name,
    players.last_name,
    players.nation_code,
    ratings.rating,
    ratings.tournaments_counted,
    ratings.last_played_on
from {{ ref('int_current_ratings') }} as ratings
inner join {{ ref('int_last_updates') }} as last_updates
    on
        ratings.rating_system_id = last_updates.rating_system_id
        and ratings.last_played_on >= last_updates.active_from
inner join {{ ref('int_players') }} as players on ratings.player_id = players.player_id
where ratings.rank is not null
order by ratings.rating_system_id, international_rank, ratings.player_id
