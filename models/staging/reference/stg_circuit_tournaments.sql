-- Grain: one row per circuit and tournament of the circuit.

select
    trim(circuit_id) as circuit_id,
    trim(tournament_id) as tournament_id,
    trim(tournament_name) as tournament_name,
    trim(source) as source
from {{ ref('ref_circuit_tournaments') }}
