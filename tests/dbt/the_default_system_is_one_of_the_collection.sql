-- What the settings name must be there, or nobody is shown.
select
    'rating_system' as setting,
    settings.rating_system as value
from {{ ref('stg_settings') }} as settings
left join {{ ref('stg_rating_systems') }} as rating_systems
    on settings.rating_system = rating_systems.rating_system_id
where rating_systems.rating_system_id is null
