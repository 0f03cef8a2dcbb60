-- Grain: one row per rating system, year, and player ranked at the end of that year.
-- Years from the first in which anybody is ranked to that of the last tournament.

with spans as (
    select
        periods.rating_system_id,
        year(min(periods.valid_from)) as first_year,
        greatest(
            (select year(max(all_periods.last_played_on)) from {{ ref('int_rating_periods') }} as all_periods),
            year(min(rating_systems.opened_on))
        ) as last_year
    from {{ ref('int_rating_periods') }} as periods
    inner join {{ ref('int_rating_systems') }} as rating_systems using (rating_system_id)
    group by periods.rating_system_id
),

year_ends as (
    select
        spans.rating_system_id,
        make_date(numbers.year, 12, 31) as day
    from spans
    -- Every year that a date may have.
    inner join range(1, 10000) as numbers (year) on numbers.year between spans.first_year and spans.last_year
)

select
    rating_system_id,
    cast(year(day) as integer) as year,
    rank,
    player_id,
    rating,
    tournaments_counted
from ({{ rankings_on(days='year_ends', periods=ref('int_rating_periods')) }}) as rankings
