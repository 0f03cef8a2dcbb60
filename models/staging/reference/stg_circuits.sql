-- Grain: one row per circuit.

select
    trim(circuit_id) as circuit_id,
    trim(name) as name,
    cast(year as integer) as year
from {{ ref('ref_circuits') }}
