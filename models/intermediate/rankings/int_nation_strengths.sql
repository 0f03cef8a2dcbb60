-- Grain: one row per rating system, year, and nation with a ranked player. A null year is the current ranking.
-- The strength of a nation is the mean of its best five; its depth is the number of ranked players.

with standings as (
    select
        rating_system_id,
        year,
        rank,
        player_id,
        rating
    from {{ ref('int_year_end_rankings') }}

    union all

    select
        rating_system_id,
        cast(null as integer) as year,
        rank,
        player_id,
        rating
    from {{ ref('int_current_ratings') }}
    where rank is not null
),

nations as (
    select
        standings.rating_system_id,
        standings.year,
        players.nation_code,
        cast(count(*) as integer) as ranked_players,
        cast(count(*) filter (where standings.rank <= 100) as integer) as players_in_top_100,
        max(standings.rating, 5) as best_ratings
    from standings
    inner join {{ ref('int_players') }} as players on standings.player_id = players.player_id
    where players.nation_code is not null
    group by standings.rating_system_id, standings.year, players.nation_code
),

measured as (
    -- In a nation of fewer than five, each missing player counts with the initial rating.
    select
        nations.*,
        (list_sum(nations.best_ratings) + (5 - len(nations.best_ratings)) * rating_systems.initial_rating) / 5
            as best_five_rating
    from nations
    inner join {{ ref('int_rating_systems') }} as rating_systems using (rating_system_id)
)

select
    rating_system_id,
    year,
    nation_code,
    {{ rank_by('best_five_rating', within='rating_system_id, year') }} as rank,
    best_five_rating,
    ranked_players,
    players_in_top_100
from measured
