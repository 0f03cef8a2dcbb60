-- Grain: one row per circuit and tournament of the circuit. A circuit without known tournaments has one row.

select
    circuits.* exclude (rating_system_id, tournaments_imported),  -- noqa: RF02
    steps.tournament_id,
    steps.tournament_name,
    steps.is_imported,
    tournaments.ended_on,
    tournaments.is_counted as is_tournament_counted
from {{ of_default_system('included_circuits') }} as circuits
left join {{ mart('circuit_tournaments') }} as steps on circuits.circuit_id = steps.circuit_id
left join {{ of_default_system('included_tournaments') }} as tournaments using (tournament_id)
