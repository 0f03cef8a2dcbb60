-- Careers agree with the results of tournaments: the number of tournaments, and the medals for placements 1 to 3.
with placements as (
    select
        player_id,
        count(*) as tournaments_played,
        count(*) filter (where placement = 1) as gold_medals,
        count(*) filter (where placement = 2) as silver_medals,
        count(*) filter (where placement = 3) as bronze_medals
    from {{ ref('tournament_results') }}
    where not is_withdrawn
    group by player_id
)

select
    players.player_id,
    placements.gold_medals,
    players.gold_medals as gold_medals_of_career
from {{ ref('players') }} as players
left join placements on players.player_id = placements.player_id
where
    coalesce(placements.tournaments_played, 0) != players.tournaments_played
    or coalesce(placements.gold_medals, 0) != players.gold_medals
    or coalesce(placements.silver_medals, 0) != players.silver_medals
    or coalesce(placements.bronze_medals, 0) != players.bronze_medals
