-- Grain: one row per circuit.

with steps as (
    select
        circuit_id,
        count(*) as tournaments
    from {{ ref('stg_circuit_tournaments') }}
    group by circuit_id
)

select
    circuits.*,
    cast(coalesce(steps.tournaments, 0) as integer) as tournaments
from {{ ref('stg_circuits') }} as circuits
left join steps on circuits.circuit_id = steps.circuit_id
order by circuits.year, circuits.circuit_id
