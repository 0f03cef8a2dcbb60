-- Grain: one row per rating system.

select
    rating_systems.*,
    last_updates.last_update,
    rating_systems.rating_system_id = {{ default_system() }} as is_default
from {{ ref('int_rating_systems') }} as rating_systems
left join {{ ref('int_ranking_days') }} as last_updates using (rating_system_id)
order by rating_systems.rating_system_id
