-- Grain: one row per rating system and person.
-- Rating and rank after the last tournament. A person without a counted tournament has the initial rating and no rank.

with rating_systems as (
    select * from {{ ref('stg_rating_systems') }}
),

players as (
    select * from {{ ref('int_players') }}
),

last_periods as (
    select *
    from {{ ref('int_rating_periods') }}
    where valid_to is null
),

standings as (
    select
        rating_systems.rating_system_id,
        players.player_id,
        coalesce(last_periods.rating, rating_systems.initial_rating) as rating,
        coalesce(last_periods.tournaments_counted, 0) as tournaments_counted,
        last_periods.valid_from as last_played_on
    from rating_systems
    cross join players
    left join last_periods
        on
            rating_systems.rating_system_id = last_periods.rating_system_id
            and players.player_id = last_periods.player_id
)

select
    rating_system_id,
    player_id,
    rating,
    tournaments_counted,
    last_played_on,
    case
        when tournaments_counted > 0
            then cast(rank() over (
                partition by rating_system_id, tournaments_counted > 0
                order by rating desc
            ) as integer)
    end as rank
from standings
