-- Grain: one row per circuit and tournament of the circuit. A circuit without known tournaments has one row.

select
    circuits.circuit_id,
    circuits.name,
    circuits.year,
    circuits.tournaments,
    included_circuits.tournaments_counted,
    included_circuits.is_counted,
    included_circuits.reason,
    steps.tournament_id,
    steps.tournament_name,
    steps.is_imported,
    tournaments.ended_on,
    included_tournaments.is_counted as is_tournament_counted
from {{ mart('circuits') }} as circuits
inner join {{ of_default_system('included_circuits') }} as included_circuits
    on circuits.circuit_id = included_circuits.circuit_id
left join {{ mart('circuit_tournaments') }} as steps on circuits.circuit_id = steps.circuit_id
left join {{ mart('tournaments') }} as tournaments on steps.tournament_id = tournaments.tournament_id
left join {{ of_default_system('included_tournaments') }} as included_tournaments
    on steps.tournament_id = included_tournaments.tournament_id
