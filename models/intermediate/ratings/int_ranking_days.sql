-- Grain: one row per rating system with a counted result or an opening ranking.
-- The date of a ranking is the last day on which a tournament moved a rating, because no model uses today's date.
-- Without one, it is the day of the published ranking that the system continues.

with last_updates as (
    select
        rating_systems.rating_system_id,
        coalesce(max(updates.ended_on), max(rating_systems.opened_on)) as last_update
    from {{ ref('int_rating_systems') }} as rating_systems
    left join {{ ref('int_rating_updates') }} as updates
        on rating_systems.rating_system_id = updates.rating_system_id and updates.is_counted
    group by rating_systems.rating_system_id
)

select
    last_updates.rating_system_id,
    last_updates.last_update,
    {{ active_from('last_updates.last_update', 'settings.active_years') }} as active_from
from last_updates
cross join {{ ref('stg_settings') }} as settings
where last_updates.last_update is not null
