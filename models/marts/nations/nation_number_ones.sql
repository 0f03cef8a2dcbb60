-- Grain: one row per rating system, nation, player, and first day of a time as the nation's number one.
-- Who was a nation's number one from when to when, without looking at every player on every day.
--
-- The days on which any rating of a nation changes are numbered, nation after nation, and gathered in blocks of 1, 2,
-- 4, 8, ... days. A period of a rating is the union of few blocks, at most two of a size: the first of that size within
-- it when its number is odd, the last when its number is even; all others pair up to larger blocks. Of every block the
-- best rating that covers it is kept; the best rating of a day is the best of the blocks around it, one of each size.
-- So n periods cost n * log n rows, at most.

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
        lead(valid_from) over (partition by rating_system_id, nation_code order by valid_from) as next_day,
        row_number() over (order by rating_system_id, nation_code, valid_from) as day_number
    from periods
    group by rating_system_id, nation_code, valid_from
),

numbered as (
    -- A period ends where the next one of the same player begins, or holds to the nation's last day.
    select
        periods.rating_system_id,
        periods.nation_code,
        periods.player_id,
        periods.rating,
        first_days.day_number as first_day,
        coalesce(
            lead(first_days.day_number) over career,
            max(first_days.day_number) over nation + 1
        ) as end_day
    from periods
    inner join days as first_days
        on
            periods.rating_system_id = first_days.rating_system_id
            and periods.nation_code = first_days.nation_code
            and periods.valid_from = first_days.day
    window
        career as (
            partition by periods.rating_system_id, periods.player_id
            order by periods.valid_from
        ),
        nation as (
            partition by periods.rating_system_id, periods.nation_code
        )
),

sizes as (
    select cast(power(2, unnest(generate_series(0, cast(ceil(log2(count(*) + 1)) as bigint)))) as bigint) as size
    from days
),

spans as (
    -- The blocks of a size that lie within a period: from first_block to before end_block.
    select
        numbered.rating,
        sizes.size,
        cast(ceil(numbered.first_day / sizes.size) as bigint) as first_block,
        cast(floor(numbered.end_day / sizes.size) as bigint) as end_block
    from numbered
    inner join sizes on numbered.end_day - numbered.first_day >= sizes.size
),

covered as (
    select
        size,
        first_block as block,
        rating
    from spans
    where first_block < end_block and first_block % 2 = 1

    union all

    select
        size,
        end_block - 1 as block,
        rating
    from spans
    where first_block < end_block and end_block % 2 = 1
),

blocks as (
    select
        size,
        block,
        max(rating) as rating
    from covered
    group by size, block
),

blocks_of_days as (
    select
        days.day_number,
        sizes.size,
        cast(floor(days.day_number / sizes.size) as bigint) as block
    from days
    cross join sizes
),

best_of_days as (
    select
        blocks_of_days.day_number,
        max(blocks.rating) as rating
    from blocks_of_days
    inner join blocks
        on
            blocks_of_days.size = blocks.size
            and blocks_of_days.block = blocks.block
    group by blocks_of_days.day_number
),

holders as (
    -- Equal ratings share the first place. A day number belongs to one nation under one system.
    select
        numbered.rating_system_id,
        numbered.nation_code,
        numbered.player_id,
        best_of_days.day_number,
        row_number() over (
            partition by numbered.rating_system_id, numbered.player_id
            order by best_of_days.day_number
        ) as days_held
    from best_of_days
    inner join numbered
        on
            best_of_days.rating = numbered.rating
            and best_of_days.day_number >= numbered.first_day
            and best_of_days.day_number < numbered.end_day
),

reigns as (
    -- Day number and count of days held run in step for as long as nobody else takes over.
    select
        rating_system_id,
        nation_code,
        player_id,
        min(day_number) as first_day,
        max(day_number) as last_day
    from holders
    group by rating_system_id, nation_code, player_id, day_number - days_held
)

select
    reigns.rating_system_id,
    reigns.nation_code,
    reigns.player_id,
    players.first_name,
    players.last_name,
    first_days.day as number_one_from,
    last_days.next_day as number_one_to
from reigns
inner join days as first_days on reigns.first_day = first_days.day_number
inner join days as last_days on reigns.last_day = last_days.day_number
inner join {{ ref('int_players') }} as players on reigns.player_id = players.player_id
order by reigns.rating_system_id, reigns.nation_code, number_one_from, reigns.player_id
