-- Grain: one row per circuit.

select
    circuit_id,
    trim(name) as name,
    year
from {{ ref('ref_circuits') }}
