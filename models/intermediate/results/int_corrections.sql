-- Grain: one row per correction.
-- Which ones are in force: of several decisions on one field the last. One without a value is in force, too: it says
-- that the document is right.

select
    correction_number,
    tournament_id,
    listed_player_id,
    field,
    corrected_value,
    reason,
    decided_on,
    row_number() over (
        partition by tournament_id, listed_player_id, field
        order by correction_number desc
    ) = 1 as is_current
from {{ ref('stg_corrections') }}
