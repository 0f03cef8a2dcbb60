-- Grain: one row per rating system and newcomer.
-- A newcomer is a player ranked at the end of the year of their first tournament, without an opening rating.

select
    ratings.rating_system_id,
    ratings.year,
    {{ rank_by('ratings.rating', within='ratings.rating_system_id, ratings.year') }} as newcomer_rank,
    ratings.rank,
    ratings.player_id,
    players.first_name,
    players.last_name,
    players.nation_code,
    players.first_played_on,
    ratings.rating
from {{ ref('int_year_end_rankings') }} as ratings
inner join {{ ref('int_players') }} as players
    on
        ratings.player_id = players.player_id
        and ratings.year = year(players.first_played_on)
inner join {{ ref('int_starting_ratings') }} as starting_ratings
    on
        ratings.rating_system_id = starting_ratings.rating_system_id
        and ratings.player_id = starting_ratings.player_id
        and starting_ratings.opened_on is null
order by ratings.rating_system_id, ratings.year, newcomer_rank, ratings.player_id
