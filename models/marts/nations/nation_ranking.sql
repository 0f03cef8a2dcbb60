-- Grain: one row per rating system, year, and nation with a player ranked at the end of that year.
-- The strength of a nation is the mean of its best five; its depth is the number of ranked players. No tournament is
-- later than the last year, so its ranking is the current one.

with nations as (
    select
        rankings.rating_system_id,
        rankings.year,
        players.nation_code,
        players.nation_name,
        count(*) as ranked_players,
        count(*) filter (where rankings.rank <= 100) as players_in_top_100,
        max(rankings.rating, 5) as best_ratings
    from {{ ref('int_year_end_rankings') }} as rankings
    inner join {{ ref('int_players') }} as players on rankings.player_id = players.player_id
    where players.nation_code is not null
    group by rankings.rating_system_id, rankings.year, players.nation_code, players.nation_name
),

measured as (
    -- In a nation of fewer than five, each missing player counts with the initial rating.
    select
        nations.*,
        (list_sum(nations.best_ratings) + (5 - len(nations.best_ratings)) * rating_systems.initial_rating) / 5
            as best_five_rating,
        {{ rank_by('best_five_rating', within='nations.rating_system_id, nations.year') }} as rank
    from nations
    inner join {{ ref('int_rating_systems') }} as rating_systems using (rating_system_id)
)

select
    rating_system_id,
    year,
    year = max(year) over (partition by rating_system_id) as is_current,
    rank,
    nation_code,
    nation_name,
    best_five_rating,
    cast(ranked_players as integer) as ranked_players,
    cast(players_in_top_100 as integer) as players_in_top_100,
    -- A ranked player stays ranked, so the previous row is the previous year.
    lag(rank) over (partition by rating_system_id, nation_code order by year) as earlier_rank
from measured
order by rating_system_id, year, rank, nation_code
