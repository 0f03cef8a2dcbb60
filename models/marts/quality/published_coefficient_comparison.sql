-- Grain: one row per tournament with a published value (`Coeff 1`) that is not withdrawn.
-- Under a system that continues a ranking, only later tournaments: an earlier one has value 0 whatever its page prints.

select
    tournaments.tournament_id,
    tournaments.coefficient_1 as published_value,
    tournament_values.tournament_value,
    tournaments.is_value_corrected as is_corrected,
    {{ agrees_with_published('tournament_values.tournament_value', 'tournaments.coefficient_1') }} as agrees
from {{ ref('int_tournaments') }} as tournaments
left join {{ ref('int_tournament_values') }} as tournament_values
    on
        tournaments.tournament_id = tournament_values.tournament_id
        and tournament_values.rating_system_id = {{ default_system() }}
where
    tournaments.coefficient_1 is not null
    and not tournaments.is_withdrawn
    and tournament_values.value_rule != 'before the opening'
order by tournaments.tournament_id
