-- Grain: one row per correction.

select
    correction_number,
    tournament_id,
    listed_player_id,
    field,
    corrected_value,
    reason,
    decided_on,
    {{ is_in_force('tournament_id', 'listed_player_id', 'field', 'correction_number') }} as is_current
from {{ ref('stg_corrections') }}
