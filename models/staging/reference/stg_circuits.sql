-- Grain: one row per circuit.

select
    circuit_id,
    trim(name) as name,
    cast(year as integer) as year
from {{ ref('ref_circuits') }}
