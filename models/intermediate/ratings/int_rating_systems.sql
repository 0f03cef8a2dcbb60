-- Grain: one row per rating system.
-- Its rules, and the first day that it counts in this collection.

with rating_systems as (
    select * from {{ ref('stg_rating_systems') }}
),

last_event as (
    select max(ended_on) as last_event_on
    from {{ ref('int_tournaments') }}
    where not is_withdrawn
)

select
    rating_systems.rating_system_id,
    rating_systems.name,
    rating_systems.author,
    rating_systems.initial_rating,
    rating_systems.world_championship_value,
    rating_systems.one_round_divisor,
    rating_systems.several_rounds_divisor,
    rating_systems.base_value,
    rating_systems.maximum_value,
    rating_systems.first_counted_on,
    rating_systems.counted_years,
    {{ counted_from(
        'rating_systems.first_counted_on', 'rating_systems.counted_years', 'last_event.last_event_on'
    ) }} as counted_from
from rating_systems
cross join last_event
