-- Grain: one row per pair of players who look alike and are different people.

select
    player_id,
    other_player_id,
    reason
from {{ ref('stg_player_distinctions') }}
order by player_id, other_player_id
