-- Grain: one row per rating system, competition, player, and first day of a reign as number one.
-- The competitions of a system are the whole ranking and each nation. Players with equal ratings share first place.
--
-- Comparing everybody on every day would take far too long. But a leader's rating is at least that of any player whose
-- rating held for the whole year, and few ratings of the year reach that height. Only these contenders are compared,
-- on the days on which one of their ratings begins or ends.

with periods as (
    -- A current rating holds until the end of the last year.
    select
        periods.rating_system_id,
        unnest(['world', players.nation_code]) as competition,
        periods.player_id,
        periods.rating,
        {{ to_nine_decimals('periods.rating') }} as height,
        periods.valid_from,
        coalesce(
            periods.valid_to,
            (select make_date(year(max(latest.valid_from)) + 1, 1, 1) from {{ ref('int_rating_periods') }} as latest)
        ) as held_until
    from {{ ref('int_rating_periods') }} as periods
    inner join {{ ref('int_players') }} as players on periods.player_id = players.player_id
    where periods.is_ranked
),

years as (
    select
        *,
        unnest(generate_series(year(valid_from), year(held_until - 1))) as year
    from periods
    where competition is not null
),

contenders as (
    -- The part of a period that lies in one year. If no rating holds throughout a year, such as the first, everybody is
    -- a contender.
    select
        *,
        greatest(valid_from, make_date(year, 1, 1)) as held_from,
        least(held_until, make_date(year + 1, 1, 1)) as held_to
    from years
    qualify height >= coalesce(
        max(height) filter (
            where held_from = make_date(year, 1, 1) and held_to = make_date(year + 1, 1, 1)
        ) over (partition by rating_system_id, competition, year),
        0
    )
),

changes as (
    select distinct
        rating_system_id,
        competition,
        year,
        unnest([held_from, held_to]) as day
    from contenders
),

days as (
    select
        *,
        lead(day) over in_order as next_day,
        row_number() over in_order as number
    from changes
    where year(day) = year
    window in_order as (partition by rating_system_id, competition order by day)
),

leaders as (
    select
        days.*,
        contenders.player_id,
        contenders.rating
    from days
    inner join contenders using (rating_system_id, competition, year)
    where days.day >= contenders.held_from and days.day < contenders.held_to
    qualify rank() over (
        partition by days.rating_system_id, days.competition, days.day
        order by contenders.height desc
    ) = 1
),

stretches as (
    -- Consecutive days have the same difference, so they form one stretch.
    select
        *,
        count(*) over (partition by rating_system_id, competition, day) > 1 as is_shared,
        number - row_number() over (
            partition by rating_system_id, competition, player_id
            order by day
        ) as stretch
    from leaders
),

reigns as (
    select
        rating_system_id,
        competition,
        player_id,
        min(day) as reigned_from,
        -- The last day has no next one: the reign lasts.
        case when count(next_day) = count(*) then max(next_day) end as reigned_to,
        max(rating) as highest_rating,
        bool_or(is_shared) as was_shared
    from stretches
    group by rating_system_id, competition, player_id, stretch
)

select
    reigns.rating_system_id,
    case when reigns.competition = 'world' then 'world' else 'nation' end as competition,
    reigns.player_id,
    players.player_name,
    players.first_name,
    players.last_name,
    players.nation_code,
    players.nation_name,
    reigns.reigned_from,
    reigns.reigned_to,
    cast(reigns.reigned_to - reigns.reigned_from as integer) as days,
    reigns.highest_rating,
    reigns.was_shared
from reigns
inner join {{ ref('int_players') }} as players on reigns.player_id = players.player_id
order by reigns.rating_system_id, competition, players.nation_code, reigns.reigned_from, reigns.player_id
