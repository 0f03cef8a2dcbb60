-- Grain: one row per rating system, year, and player who was ranked at the end of that year.

select
    rankings.rating_system_id,
    rankings.year,
    rankings.rank,
    rankings.player_id,
    players.nation_code,
    rankings.rating
from {{ ref('int_year_end_rankings') }} as rankings
inner join {{ ref('int_players') }} as players on rankings.player_id = players.player_id
order by rankings.rating_system_id, rankings.year, rankings.rank, rankings.player_id
