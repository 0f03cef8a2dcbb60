-- Grain: one row per circuit and tournament that is a step of it.

select
    circuit_id,
    tournament_id,
    trim(tournament_name) as tournament_name,
    trim(source) as source
from {{ ref('ref_circuit_tournaments') }}
