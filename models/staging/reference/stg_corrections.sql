-- Grain: one row per correction, and whether it is in force.

select
    cast(correction_number as integer) as correction_number,

    trim(tournament_id) as tournament_id,
    nullif(trim(player_id), '') as listed_player_id,

    trim(field) as field,
    -- Null restores the document's value.
    nullif(trim(value), '') as corrected_value,
    trim(reason) as reason,

    cast(decided_on as date) as decided_on,
    {{ is_in_force(
        'trim(tournament_id)', "nullif(trim(player_id), '')", 'trim(field)', 'cast(correction_number as integer)'
    ) }} as is_current
from {{ ref('ref_corrections') }}
