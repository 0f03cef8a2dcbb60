-- Grain: one row per tournament where at least two of some players have a placement, and player of them with one there.
-- select * from marts.common_tournaments(['edi-birsan', 'toby-harris'])

with asked as (
    {{ asked_players() }}
),

results as (
    select
        results.tournament_id,
        asked.player_number,
        asked.player_id,
        {{ player_name('results') }} as player_name,
        results.placement,
        count(*) over (partition by results.tournament_id) as players_compared
    from {{ mart('tournament_results') }} as results
    inner join asked on results.player_id = asked.player_id
    where results.placement is not null and not results.is_withdrawn
)

select
    results.tournament_id,
    tournaments.name as tournament_name,
    tournaments.ended_on,
    tournaments.players as tournament_players,
    results.player_number,
    results.player_id,
    results.player_name,
    results.placement
from results
inner join {{ mart('tournaments') }} as tournaments on results.tournament_id = tournaments.tournament_id
where results.players_compared > 1
order by tournaments.ended_on desc, results.tournament_id asc, results.player_number asc
