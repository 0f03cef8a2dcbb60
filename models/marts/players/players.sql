-- Grain: one row per person.

with careers as (
    select
        results.player_id,
        count(*) filter (where tournaments.is_world_championship) as world_championships_played,
        count(distinct year(results.ended_on)) as years_played,
        count(*) filter (where results.placement = 1) as gold_medals,
        count(*) filter (where results.placement = 2) as silver_medals,
        count(*) filter (where results.placement = 3) as bronze_medals,
        count(*) filter (
            where results.placement <= 3 and tournaments.is_world_championship
        ) as world_championship_medals
    from {{ ref('int_results') }} as results
    inner join {{ ref('int_tournaments') }} as tournaments on results.tournament_id = tournaments.tournament_id
    where not results.is_withdrawn
    group by results.player_id
)

select
    players.player_id,
    players.player_name,
    players.first_name,
    players.last_name,
    players.nation_code,
    players.nation_name,
    players.location_code,
    players.tournaments_played,
    cast(coalesce(careers.world_championships_played, 0) as integer) as world_championships_played,
    cast(coalesce(careers.years_played, 0) as integer) as years_played,
    players.first_played_on,
    players.last_played_on,
    cast(coalesce(careers.gold_medals, 0) as integer) as gold_medals,
    cast(coalesce(careers.silver_medals, 0) as integer) as silver_medals,
    cast(coalesce(careers.bronze_medals, 0) as integer) as bronze_medals,
    cast(coalesce(careers.world_championship_medals, 0) as integer) as world_championship_medals,
    -- Medals rank first, whoever has none last.
    case
        when careers.gold_medals + careers.silver_medals + careers.bronze_medals > 0
            then cast(rank() over (
                order by
                    careers.gold_medals desc nulls last,
                    careers.silver_medals desc nulls last,
                    careers.bronze_medals desc nulls last
            ) as integer)
    end as medal_rank,
    ratings.rating,
    ratings.rank as international_rank,
    players.known_from
from {{ ref('int_players') }} as players
inner join {{ ref('int_current_ratings') }} as ratings on players.player_id = ratings.player_id
left join careers on players.player_id = careers.player_id
where ratings.rating_system_id = {{ default_system() }}
order by players.player_id
