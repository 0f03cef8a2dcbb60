-- Grain: one row per rating system with a counted tournament.
-- The date of a ranking is the last day of its last counted tournament, because no model uses today's date.

with last_updates as (
    select
        tournament_values.rating_system_id,
        max(tournaments.ended_on) as last_update
    from {{ ref('int_tournament_values') }} as tournament_values
    inner join {{ ref('int_tournaments') }} as tournaments
        on tournament_values.tournament_id = tournaments.tournament_id
    where tournament_values.is_counted
    group by tournament_values.rating_system_id
)

select
    last_updates.rating_system_id,
    last_updates.last_update,
    {{ active_from('last_updates.last_update', 'settings.active_years') }} as active_from
from last_updates
cross join {{ ref('stg_settings') }} as settings
