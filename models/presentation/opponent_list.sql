-- Grain: one row per player and opponent: the ten most frequent opponents, met at least twice.
-- All pairs in one query; the function head_to_head answers for a single player.

with numbered as (
    select
        *,
        cast(row_number() over (
            partition by player_id
            order by tournaments desc, last_met_on desc, opponent_id asc
        ) as integer) as number
    from ({{ meetings() }}) as opponents
    where tournaments > 1
    qualify number <= 10
)

select
    numbered.*,
    players.first_name,
    players.last_name,
    players.nation_code
from numbered
inner join {{ mart('players') }} as players on numbered.opponent_id = players.player_id
