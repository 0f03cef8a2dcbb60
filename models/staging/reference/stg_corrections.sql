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
    -- Of several corrections of one field, the last is in force, also one without a value.
    row_number() over (
        partition by trim(tournament_id), nullif(trim(player_id), ''), trim(field)
        order by cast(correction_number as integer) desc
    ) = 1 as is_current
from {{ ref('ref_corrections') }}
