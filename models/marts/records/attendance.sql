-- Grain: one row per year in which a tournament ended.

with tournaments as (
    select
        cast(year(ended_on) as integer) as year,
        cast(count(*) as integer) as tournaments,
        cast(sum(players) as integer) as places_declared,
        avg(players) as mean_players,
        max(players) as most_players
    from {{ ref('int_tournaments') }}
    where not is_withdrawn
    group by year(ended_on)
),

people as (
    select
        year(results.ended_on) as year,
        count(distinct results.player_id) as people,
        count(distinct results.player_id) filter (
            where year(players.first_played_on) = year(results.ended_on)
        ) as newcomers
    from {{ ref('int_results') }} as results
    inner join {{ ref('int_players') }} as players on results.player_id = players.player_id
    where not results.is_withdrawn
    group by year(results.ended_on)
)

select
    tournaments.*,
    -- A year may have tournaments without any listed person.
    cast(coalesce(people.people, 0) as integer) as people_listed,
    cast(coalesce(people.newcomers, 0) as integer) as newcomers
from tournaments
left join people on tournaments.year = people.year
order by tournaments.year
