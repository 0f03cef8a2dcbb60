-- Grain: one row per rating system.
-- Its rules, and the first day that it counts in this collection.

with last_event as (
    select max(ended_on) as last_event_on
    from {{ ref('int_tournaments') }}
    where not is_withdrawn
)

select
    rating_systems.*,
    {{ counted_from(
        'rating_systems.first_counted_on', 'rating_systems.counted_years', 'rating_systems.opened_on', 'last_event.last_event_on'
    ) }} as counted_from
from {{ ref('stg_rating_systems') }} as rating_systems
cross join last_event
