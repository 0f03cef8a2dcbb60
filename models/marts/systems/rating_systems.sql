-- Grain: one row per rating system.

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
    rating_systems.counted_from,
    last_updates.last_update,
    rating_systems.rating_system_id = {{ default_system() }} as is_default
from {{ ref('int_rating_systems') }} as rating_systems
left join {{ ref('int_last_updates') }} as last_updates
    on rating_systems.rating_system_id = last_updates.rating_system_id
order by rating_systems.rating_system_id
