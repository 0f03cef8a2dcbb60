-- Grain: one row per person who played a tournament.

with results as (
    select
        results.player_id,
        results.ended_on,
        results.placement,
        tournaments.is_world_championship
    from {{ ref('int_valid_results') }} as results
    inner join {{ ref('int_tournaments') }} as tournaments on results.tournament_id = tournaments.tournament_id
),

careers as (
    select
        player_id,
        cast(count(*) as integer) as tournaments_played,
        cast(count(*) filter (where is_world_championship) as integer) as world_championships_played,
        cast(count(distinct year(ended_on)) as integer) as years_played,
        cast(count(*) filter (where placement = 1) as integer) as gold_medals,
        cast(count(*) filter (where placement = 2) as integer) as silver_medals,
        cast(count(*) filter (where placement = 3) as integer) as bronze_medals,
        cast(count(*) filter (where placement <= 3 and is_world_championship) as integer) as world_championship_medals
    from results
    group by player_id
)

select
    careers.*,
    players.first_name,
    players.last_name,
    players.nation_code,
    players.first_played_on,
    players.last_played_on,
    case
        when careers.gold_medals + careers.silver_medals + careers.bronze_medals > 0
            then cast(rank() over (
                order by careers.gold_medals desc, careers.silver_medals desc, careers.bronze_medals desc
            ) as integer)
    end as medal_rank
from careers
inner join {{ ref('int_players') }} as players on careers.player_id = players.player_id
order by careers.player_id
