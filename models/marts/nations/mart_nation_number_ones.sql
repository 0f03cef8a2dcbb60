-- Grain: one row per rating system, nation, player, and first day of a time as the nation's number one.
-- Who was a nation's number one from when to when, without looking at every player on every day.
--
-- The days on which any rating of a nation changes are numbered from 0, and gathered in blocks of 1, 2, 4, 8, ... days.
-- A period of a rating is the union of few blocks, at most two of a size: the first of that size within it when its
-- number is odd, the last when its number is even; all others pair up to larger blocks. Of every block the best rating
-- that covers it is kept; the best rating of a day is the best of the blocks around it, one of each size. So n periods
-- cost n * log n rows, at most.

with periods as (
    select
        periods.rating_system_id,
        players.nation_code,
        periods.player_id,
        periods.rating,
        periods.valid_from,
        periods.valid_to
    from {{ ref('int_rating_periods') }} as periods
    inner join {{ ref('int_players') }} as players on periods.player_id = players.player_id
    where
        periods.tournaments_counted > 0
        and players.nation_code is not null
        and (periods.valid_from < periods.valid_to or periods.valid_to is null)
),

days as (
    select
        rating_system_id,
        nation_code,
        valid_from as day,
        row_number() over nation_days - 1 as day_number,
        lead(valid_from) over nation_days as next_day
    from periods
    group by rating_system_id, nation_code, valid_from
    window nation_days as (
        partition by rating_system_id, nation_code
        order by valid_from
    )
),

day_counts as (
    select
        rating_system_id,
        nation_code,
        count(*) as days
    from days
    group by rating_system_id, nation_code
),

numbered as (
    -- A period ends where the next one of the same player begins, or holds to the end.
    select
        periods.rating_system_id,
        periods.nation_code,
        periods.player_id,
        periods.rating,
        first_days.day_number as first_day,
        coalesce(end_days.day_number, day_counts.days) as end_day
    from periods
    inner join day_counts
        on
            periods.rating_system_id = day_counts.rating_system_id
            and periods.nation_code = day_counts.nation_code
    inner join days as first_days
        on
            periods.rating_system_id = first_days.rating_system_id
            and periods.nation_code = first_days.nation_code
            and periods.valid_from = first_days.day
    left join days as end_days
        on
            periods.rating_system_id = end_days.rating_system_id
            and periods.nation_code = end_days.nation_code
            and periods.valid_to = end_days.day
),

levels as (
    select unnest(generate_series(0, cast(ceil(log2(max(days))) as bigint))) as level
    from day_counts
),

sizes as (
    select cast(power(2, level) as bigint) as size
    from levels
),

spans as (
    -- The blocks of a size that lie within a period: from first_block to before end_block.
    select
        numbered.rating_system_id,
        numbered.nation_code,
        numbered.rating,
        sizes.size,
        cast(ceil(numbered.first_day / sizes.size) as bigint) as first_block,
        cast(floor(numbered.end_day / sizes.size) as bigint) as end_block
    from numbered
    inner join sizes on numbered.end_day - numbered.first_day >= sizes.size
),

covered as (
    select
        rating_system_id,
        nation_code,
        size,
        first_block as block,
        rating
    from spans
    where first_block < end_block and first_block % 2 = 1

    union all

    select
        rating_system_id,
        nation_code,
        size,
        end_block - 1 as block,
        rating
    from spans
    where first_block < end_block and end_block % 2 = 1
),

blocks as (
    select
        rating_system_id,
        nation_code,
        size,
        block,
        max(rating) as rating
    from covered
    group by rating_system_id, nation_code, size, block
),

best_of_days as (
    select
        days.rating_system_id,
        days.nation_code,
        days.day,
        days.day_number,
        days.next_day,
        max(blocks.rating) as rating
    from days
    cross join sizes
    inner join blocks
        on
            days.rating_system_id = blocks.rating_system_id
            and days.nation_code = blocks.nation_code
            and sizes.size = blocks.size
            and cast(floor(days.day_number / sizes.size) as bigint) = blocks.block
    group by days.rating_system_id, days.nation_code, days.day, days.day_number, days.next_day
),

holders as (
    -- Equal ratings share the first place.
    select
        best_of_days.rating_system_id,
        best_of_days.nation_code,
        numbered.player_id,
        best_of_days.day,
        best_of_days.next_day,
        best_of_days.day_number,
        row_number() over (
            partition by best_of_days.rating_system_id, best_of_days.nation_code, numbered.player_id
            order by best_of_days.day_number
        ) as held_before
    from best_of_days
    inner join numbered
        on
            best_of_days.rating_system_id = numbered.rating_system_id
            and best_of_days.nation_code = numbered.nation_code
            and best_of_days.rating = numbered.rating
            and best_of_days.day_number >= numbered.first_day
            and best_of_days.day_number < numbered.end_day
),

reigns as (
    -- Day number and count of days held run in step for as long as nobody else takes over.
    select
        rating_system_id,
        nation_code,
        player_id,
        min(day) as number_one_from,
        case when count(next_day) = count(*) then max(next_day) end as number_one_to
    from holders
    group by rating_system_id, nation_code, player_id, day_number - held_before
)

select
    reigns.rating_system_id,
    reigns.nation_code,
    reigns.player_id,
    players.first_name,
    players.last_name,
    reigns.number_one_from,
    reigns.number_one_to
from reigns
inner join {{ ref('int_players') }} as players on reigns.player_id = players.player_id
order by reigns.rating_system_id, reigns.nation_code, reigns.number_one_from, reigns.player_id
