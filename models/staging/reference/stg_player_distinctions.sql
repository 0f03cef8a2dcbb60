-- Grain: one row per pair of players who look alike and are different people.

select
    player_id,
    other_player_id,
    trim(reason) as reason
from {{ ref('ref_player_distinctions') }}
