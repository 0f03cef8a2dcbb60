-- Grain: one row per rating system, player, and first day of a reign as number one.
--
-- Found without looking at every player on every day. In each year there is a lower bound: the best rating that
-- somebody held or bettered on every day of the year. Whoever led on a day of that year stood at it or above it. Few
-- ratings ever do, and only these contenders are compared, on the days on which one of their ratings began or ended.

with horizon as (
    -- A rating that still holds is followed to the end of the year of the last event.
    select make_date(year(max(valid_from)) + 1, 1, 1) as first_day_after
    from {{ ref('int_rating_periods') }}
),

periods as (
    -- Of two events that end on one day only the second leaves a rating that somebody held.
    select
        periods.rating_system_id,
        periods.player_id,
        periods.rating,
        periods.valid_from,
        coalesce(periods.valid_to, horizon.first_day_after) as valid_to
    from {{ ref('int_rating_periods') }} as periods
    cross join horizon
    where
        periods.tournaments_counted > 0
        and (periods.valid_from < periods.valid_to or periods.valid_to is null)
),

period_years as (
    select
        *,
        unnest(generate_series(year(valid_from), year(valid_to - 1))) as year
    from periods
),

spans as (
    -- The part of a period that lies in one year.
    select
        rating_system_id,
        year,
        player_id,
        rating,
        greatest(valid_from, make_date(year, 1, 1)) as span_from,
        least(valid_to, make_date(year + 1, 1, 1)) as span_to
    from period_years
),

kept_all_year as (
    select
        rating_system_id,
        year,
        player_id,
        min(rating) as lowest_rating
    from spans
    group by rating_system_id, year, player_id
    having sum(span_to - span_from) = make_date(year + 1, 1, 1) - make_date(year, 1, 1)
),

lower_bounds as (
    select
        rating_system_id,
        year,
        max(lowest_rating) as lower_bound
    from kept_all_year
    group by rating_system_id, year
),

contenders as (
    -- In the first year nobody has kept anything all year: everybody is a contender.
    select spans.*
    from spans
    left join lower_bounds
        on
            spans.rating_system_id = lower_bounds.rating_system_id
            and spans.year = lower_bounds.year
    where spans.rating >= lower_bounds.lower_bound or lower_bounds.lower_bound is null
),

change_days as (
    select
        rating_system_id,
        year,
        span_from as day
    from contenders

    union distinct

    select
        rating_system_id,
        year,
        span_to as day
    from contenders
    where year(span_to) = year
),

stretches as (
    -- From one change to the next nothing changes at the top.
    select
        *,
        lead(day) over (partition by rating_system_id order by day) as next_day,
        row_number() over (partition by rating_system_id order by day) as stretch_number
    from change_days
),

leaders as (
    select
        stretches.rating_system_id,
        stretches.stretch_number,
        stretches.day,
        coalesce(stretches.next_day, horizon.first_day_after) as next_day,
        contenders.player_id,
        contenders.rating
    from stretches
    cross join horizon
    inner join contenders
        on
            stretches.rating_system_id = contenders.rating_system_id
            and stretches.year = contenders.year
            and stretches.day >= contenders.span_from
            and stretches.day < contenders.span_to
    qualify contenders.rating = max(contenders.rating) over (
        partition by stretches.rating_system_id, stretches.stretch_number
    )
),

numbered as (
    -- Stretches that follow each other without a gap have the same difference: they are one reign.
    select
        *,
        count(*) over (partition by rating_system_id, stretch_number) > 1 as is_shared,
        stretch_number - row_number() over (
            partition by rating_system_id, player_id
            order by stretch_number
        ) as reign
    from leaders
),

reigns as (
    select
        rating_system_id,
        player_id,
        min(day) as reigned_from,
        max(next_day) as reigned_to,
        max(rating) as highest_rating,
        bool_or(is_shared) as was_shared
    from numbered
    group by rating_system_id, player_id, reign
)

select
    reigns.rating_system_id,
    reigns.player_id,
    players.first_name,
    players.last_name,
    players.nation_code,
    reigns.reigned_from,
    nullif(reigns.reigned_to, horizon.first_day_after) as reigned_to,
    cast(nullif(reigns.reigned_to, horizon.first_day_after) - reigns.reigned_from as integer) as days,
    reigns.highest_rating,
    reigns.was_shared
from reigns
cross join horizon
inner join {{ ref('int_players') }} as players on reigns.player_id = players.player_id
order by reigns.rating_system_id, reigns.reigned_from, reigns.player_id
