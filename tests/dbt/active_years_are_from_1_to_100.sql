-- With none nobody would be active, and more are no setting but a slip.
select
    'active_years' as setting,
    active_years as value
from {{ ref('stg_settings') }}
where active_years not between 1 and 100
