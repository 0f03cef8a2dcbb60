-- Grain: one row per correction.

select
    correction_number,

    tournament_id,
    nullif(trim(player_id), '') as listed_player_id,

    trim(field) as field,
    -- None: what the document states holds again.
    nullif(trim(value), '') as corrected_value,
    trim(reason) as reason,

    decided_on
from {{ ref('ref_corrections') }}
