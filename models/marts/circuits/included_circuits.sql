-- Grain: one row per rating system and circuit.
-- A tournament that is not imported has no value under any system, so it does not count.

select
    rating_systems.rating_system_id,
    circuits.circuit_id,
    circuits.name,
    circuits.year,
    cast(count(steps.tournament_id) as integer) as tournaments,
    cast(count(tournament_values.tournament_id) as integer) as tournaments_imported,
    cast(count(*) filter (where tournament_values.is_counted) as integer) as tournaments_counted,
    tournaments_counted > 0 as is_counted,
    case
        when tournaments = 0 then 'no tournament known'
        when tournaments_imported = 0 then 'no tournament imported'
        when tournaments_counted = 0 then 'no tournament counted'
        when tournaments_counted < tournaments then 'some tournaments counted'
        else 'every tournament counted'
    end as reason
from {{ ref('int_rating_systems') }} as rating_systems
cross join {{ ref('stg_circuits') }} as circuits
left join {{ ref('stg_circuit_tournaments') }} as steps on circuits.circuit_id = steps.circuit_id
left join {{ ref('int_tournament_values') }} as tournament_values using (rating_system_id, tournament_id)
group by rating_systems.rating_system_id, circuits.circuit_id, circuits.name, circuits.year
order by rating_systems.rating_system_id, circuits.year, circuits.circuit_id
