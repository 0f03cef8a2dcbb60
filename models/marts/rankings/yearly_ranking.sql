-- Grain: one row per rating system, year, and player ranked at the end of that year.

select
    rankings.rating_system_id,
    rankings.year,
    rankings.rank,
    rankings.player_id,
    players.nation_code,
    rankings.rating,
    lag(rankings.rank) over career as earlier_rank,
    -- In Spark a window name before a minus needs brackets.
    (lag(rankings.rank) over career) - rankings.rank as places_gained,
    rankings.rating - lag(rankings.rating) over career as rating_gained
from {{ ref('int_year_end_rankings') }} as rankings
inner join {{ ref('int_players') }} as players on rankings.player_id = players.player_id
-- A ranked player stays ranked at the end of every later year.
window career as (partition by rankings.rating_system_id, rankings.player_id order by rankings.year)
order by rankings.rating_system_id, rankings.year, rankings.rank, rankings.player_id
