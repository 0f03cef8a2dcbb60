-- Grain: one row per rating system, year, and nation with a ranked player; no year: as the ranking stands now.
-- How strong a nation is, by its best five, and how deep.

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

compatriots as (
    select
        standings.rating_system_id,
        standings.year,
        players.nation_code,
        standings.rank,
        standings.rating,
        row_number() over (
            partition by standings.rating_system_id, standings.year, players.nation_code
            order by standings.rank, standings.player_id
        ) as place_in_nation
    from standings
    inner join {{ ref('int_players') }} as players on standings.player_id = players.player_id
    where players.nation_code is not null
),

nations as (
    select
        rating_system_id,
        year,
        nation_code,
        count(*) as ranked_players,
        count(*) filter (where rank <= 100) as players_in_top_100,
        -- In a fixed order: doubles that are added in another order give another last digit.
        sum(rating order by place_in_nation) filter (where place_in_nation <= 5) as sum_of_best,
        least(count(*), 5) as best_players
    from compatriots
    group by rating_system_id, year, nation_code
),

measured as (
    -- A nation of fewer than five fields newcomers: a place that nobody fills has the initial rating.
    select
        nations.rating_system_id,
        nations.year,
        nations.nation_code,
        nations.ranked_players,
        nations.players_in_top_100,
        (nations.sum_of_best + (5 - nations.best_players) * rating_systems.initial_rating) / 5 as best_five_rating
    from nations
    inner join {{ ref('int_rating_systems') }} as rating_systems
        on nations.rating_system_id = rating_systems.rating_system_id
)

select
    rating_system_id,
    year,
    nation_code,
    cast(rank() over (
        partition by rating_system_id, year
        order by best_five_rating desc
    ) as integer) as rank,
    best_five_rating,
    cast(ranked_players as integer) as ranked_players,
    cast(players_in_top_100 as integer) as players_in_top_100
from measured
