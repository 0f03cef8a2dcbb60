-- Grain: one row per circuit and tournament of the circuit.

select
    circuit_id,
    tournament_id,
    trim(tournament_name) as tournament_name,
    trim(source) as source
from {{ ref('ref_circuit_tournaments') }}
