-- Grain: one row per rating system, nation, and ranked player of that nation.

select
    ratings.rating_system_id,
    players.nation_code,
    players.nation_name,
    {{ rank_by('ratings.rating', within='ratings.rating_system_id, players.nation_code') }} as national_rank,
    ratings.rank as international_rank,
    ratings.player_id,
    players.player_name,
    players.first_name,
    players.last_name,
    ratings.rating
from {{ ref('int_current_ratings') }} as ratings
inner join {{ ref('int_players') }} as players on ratings.player_id = players.player_id
where ratings.rank is not null and players.nation_code is not null
order by ratings.rating_system_id, players.nation_code, national_rank, ratings.player_id
