-- Grain: one row per player and opponent: the ten most frequent opponents, met at least twice.
-- All pairs in one query; the function head_to_head answers for a single player.

with results as (
    {{ results_that_meet() }}
),

met as (
    select
        own.player_id,
        others.player_id as opponent_id,
        own.placement,
        others.placement as opponent_placement,
        own.ended_on
    from results as own
    inner join results as others
        on
            own.tournament_id = others.tournament_id
            and own.player_id != others.player_id
),

opponents as (
    select
        player_id,
        opponent_id,
        {{ meetings() }}
    from met
    group by player_id, opponent_id
    having count(*) > 1
),

numbered as (
    select
        *,
        cast(row_number() over (
            partition by player_id
            order by tournaments desc, last_met_on desc, opponent_id asc
        ) as integer) as number
    from opponents
    qualify number <= 10
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
inner join {{ mart('players') }} as players on numbered.opponent_id = players.player_id
