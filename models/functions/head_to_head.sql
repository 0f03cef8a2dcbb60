-- Grain: one row per opponent whom a player met: a tournament where both have a placement.
-- select * from marts.head_to_head('cyrille-sevin')
-- A function, because a table of all pairs grows faster than the collection.

with results as (
    select
        results.tournament_id,
        results.player_id,
        results.placement,
        tournaments.ended_on
    from {{ published('tournament_results') }} as results
    inner join {{ published('tournaments') }} as tournaments on results.tournament_id = tournaments.tournament_id
    where results.placement is not null
),

own as (
    select * from results
    where player_id = player
),

others as (
    select * from results
    where player_id != player
),

meetings as (
    select
        others.player_id as opponent_id,
        own.placement,
        others.placement as opponent_placement,
        own.ended_on
    from own
    inner join others on own.tournament_id = others.tournament_id
)

select
    meetings.opponent_id,
    players.first_name,
    players.last_name,
    cast(count(*) as integer) as tournaments,
    cast(count(*) filter (where meetings.placement < meetings.opponent_placement) as integer) as times_ahead,
    cast(count(*) filter (where meetings.placement > meetings.opponent_placement) as integer) as times_behind,
    cast(count(*) filter (where meetings.placement = meetings.opponent_placement) as integer) as times_level,
    max(meetings.ended_on) as last_met_on
from meetings
inner join {{ published('players') }} as players on meetings.opponent_id = players.player_id
group by meetings.opponent_id, players.first_name, players.last_name
order by tournaments desc, times_ahead desc, meetings.opponent_id asc
