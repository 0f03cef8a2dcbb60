-- Grain: one row per player and opponent, of the ten whom the player met most.
-- The pairs of all players at once: the function head_to_head asks for those of one.

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

meetings as (
    select
        own.player_id,
        others.player_id as opponent_id,
        cast(count(*) as integer) as tournaments,
        cast(count(*) filter (where own.placement < others.placement) as integer) as times_ahead,
        cast(count(*) filter (where own.placement > others.placement) as integer) as times_behind,
        cast(count(*) filter (where own.placement = others.placement) as integer) as times_level,
        max(own.ended_on) as last_met_on
    from results as own
    inner join results as others
        on
            own.tournament_id = others.tournament_id
            and own.player_id != others.player_id
    group by own.player_id, others.player_id
),

numbered as (
    select
        *,
        cast(row_number() over (
            partition by player_id
            order by tournaments desc, last_met_on desc, opponent_id asc
        ) as integer) as number
    from meetings
)

select
    numbered.player_id,
    numbered.number,
    numbered.opponent_id,
    players.first_name,
    players.last_name,
    players.nation_code,
    numbered.tournaments,
    numbered.times_ahead,
    numbered.times_behind,
    numbered.times_level,
    numbered.last_met_on
from numbered
inner join {{ published('players') }} as players on numbered.opponent_id = players.player_id
where numbered.number <= 10
