-- Grain: one row per rating system, year, and player who was ranked at the end of that year.

select
    rankings.rating_system_id,
    rankings.year,
    rankings.rank,
    rankings.player_id,
    players.nation_code,
    rankings.rating,
    lag(rankings.rank) over career as earlier_rank,
    -- Spark would read a minus behind the name of a window as a part of the name.
    (lag(rankings.rank) over career) - rankings.rank as places_gained,
    rankings.rating - lag(rankings.rating) over career as rating_gained
from {{ ref('int_year_end_rankings') }} as rankings
inner join {{ ref('int_players') }} as players on rankings.player_id = players.player_id
-- Who is ranked once is ranked at the end of every year after.
window career as (partition by rankings.rating_system_id, rankings.player_id order by rankings.year)
order by rankings.rating_system_id, rankings.year, rankings.rank, rankings.player_id
