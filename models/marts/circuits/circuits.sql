-- Grain: one row per circuit.

select
    circuits.circuit_id,
    circuits.name,
    circuits.year,
    cast(count(steps.circuit_id) as integer) as tournaments
from {{ ref('stg_circuits') }} as circuits
left join {{ ref('stg_circuit_tournaments') }} as steps on circuits.circuit_id = steps.circuit_id
group by circuits.circuit_id, circuits.name, circuits.year
order by circuits.year, circuits.circuit_id
