-- Grain: one row per rating system, year, and player who was ranked at the end of that year.
-- From the first counted year of the system to the year of the last event.

with periods as (
    select * from {{ ref('int_rating_periods') }}
),

spans as (
    -- A system that counts from the beginning has its first year where its first event is.
    select
        periods.rating_system_id,
        year(coalesce(min(rating_systems.first_counted_on), min(periods.valid_from))) as first_year,
        (select year(max(all_periods.valid_from)) from periods as all_periods) as last_year
    from periods
    inner join {{ ref('stg_rating_systems') }} as rating_systems
        on periods.rating_system_id = rating_systems.rating_system_id
    group by periods.rating_system_id
),

years as (
    select
        rating_system_id,
        cast(unnest(generate_series(first_year, last_year)) as integer) as year
    from spans
),

year_ends as (
    select
        rating_system_id,
        year,
        make_date(year, 12, 31) as last_day
    from years
)

select
    periods.rating_system_id,
    year_ends.year,
    cast(rank() over (
        partition by periods.rating_system_id, year_ends.year
        order by periods.rating desc
    ) as integer) as rank,
    periods.player_id,
    players.nation_code,
    periods.rating
from periods
inner join year_ends
    on
        periods.rating_system_id = year_ends.rating_system_id
        and periods.valid_from <= year_ends.last_day
        and (periods.valid_to > year_ends.last_day or periods.valid_to is null)
inner join {{ ref('int_players') }} as players on periods.player_id = players.player_id
where periods.tournaments_counted > 0
order by periods.rating_system_id, year_ends.year, rank, periods.player_id
