-- Grain: one row per day, from the first tournament to the end of the year of the last one.
-- The time spine of the semantic layer: MetricFlow fills the days without an event from it.

with span as (
    select
        min(started_on) as first_day,
        make_date(year(max(ended_on)), 12, 31) as last_day
    from {{ ref('int_tournaments') }}
)

select cast(unnest(generate_series(first_day, last_day, interval '1' day)) as date) as day
from span
