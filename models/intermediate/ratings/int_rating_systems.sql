-- Grain: one row per rating system.
-- Its rules, and the first day that it counts in this collection.

with tournaments as (
    select * from {{ ref('int_tournaments') }}
    where not is_withdrawn
)

select
    *,
    {{ counted_from(
        'first_counted_on', 'counted_years', 'opened_on', '(select max(tournaments.ended_on) from tournaments)'
    ) }} as counted_from
from {{ ref('stg_rating_systems') }}
