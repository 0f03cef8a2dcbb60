-- Grain: one row per circuit and tournament of the circuit.

select
    steps.*,
    tournaments.tournament_id is not null as is_imported
from {{ ref('stg_circuit_tournaments') }} as steps
left join {{ ref('int_tournaments') }} as tournaments on steps.tournament_id = tournaments.tournament_id
order by steps.circuit_id, steps.tournament_id
