-- Grain: one row per rating system and tournament.

select
    tournament_values.rating_system_id,
    tournament_values.tournament_id,
    tournaments.tournament_name,
    tournaments.ended_on,
    tournaments.players,
    tournaments.rounds,
    tournament_values.tournament_value,
    tournament_values.is_counted,
    tournament_values.value_rule,
    tournaments.coefficient_1 as published_value,
    tournaments.is_value_corrected,
    -- A page prints a value whatever the rating keeper withdrew, or a ranking that is continued here.
    case
        when tournament_values.value_rule not in ('withdrawn', 'before the opening') and published_value is not null
            then {{ agrees_with_published('tournament_values.tournament_value', 'published_value') }}
    end as agrees
from {{ ref('int_tournament_values') }} as tournament_values
inner join {{ ref('int_tournaments') }} as tournaments on tournament_values.tournament_id = tournaments.tournament_id
order by tournament_values.rating_system_id, tournaments.ended_on, tournaments.started_on, tournaments.tournament_id
