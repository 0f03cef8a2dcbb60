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
    coalesce(placements.player_id, careers.player_id) as player_id,
    placements.gold_medals,
    careers.gold_medals as gold_medals_of_career
from placements
full outer join {{ ref('careers') }} as careers on placements.player_id = careers.player_id
where
    (placements.tournaments_played = careers.tournaments_played) is not true
    or placements.gold_medals != careers.gold_medals
    or placements.silver_medals != careers.silver_medals
    or placements.bronze_medals != careers.bronze_medals
