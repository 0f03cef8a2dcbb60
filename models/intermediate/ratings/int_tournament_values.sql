-- Grain: one row per rating system and tournament.
-- The tournament's value under the rules of the system, and the rule that set it.

select
    rating_systems.rating_system_id,
    tournaments.tournament_id,
    {{ value_rule() }} as value_rule,
    {{ tournament_value('value_rule') }} as tournament_value,
    tournament_value > 0 as is_counted
from {{ ref('int_rating_systems') }} as rating_systems
cross join {{ ref('int_tournaments') }} as tournaments
