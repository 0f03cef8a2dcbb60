-- Grain: one row per rating system, year, and player ranked at the end of that year.
-- Years from the first in which anybody is ranked to that of the last tournament.

with years as (
    select
        year(min(valid_from)) as first_year,
        year(max(last_played_on)) as last_year
    from {{ ref('int_rating_periods') }}
),

year_ends as (
    select
        rating_systems.rating_system_id,
        make_date(numbers.year, 12, 31) as day
    from {{ ref('int_rating_systems') }} as rating_systems
    cross join years
    -- Every year that a date may have.
    inner join range(1, 10000) as numbers (year)
        on numbers.year between years.first_year and greatest(years.last_year, year(rating_systems.opened_on))
)

select
    rating_system_id,
    cast(year(day) as integer) as year,
    rank,
    player_id,
    rating,
    tournaments_counted
from ({{ rankings_on(days='year_ends', periods=ref('int_rating_periods')) }}) as rankings
