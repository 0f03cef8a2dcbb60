-- Grain: one row per rating system and tournament.

select
    tournament_values.rating_system_id,
    tournament_values.tournament_id,
    tournaments.name,
    tournaments.ended_on,
    tournaments.players,
    tournaments.rounds,
    tournament_values.tournament_value,
    tournament_values.is_counted,
    tournament_values.value_rule
from {{ ref('int_tournament_values') }} as tournament_values
inner join {{ ref('int_tournaments') }} as tournaments using (tournament_id)
order by tournament_values.rating_system_id, tournaments.ended_on, tournaments.started_on, tournaments.tournament_id
