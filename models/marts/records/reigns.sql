-- Grain: one row per rating system, competition, player, and first day of a reign as number one.
-- The competitions of a system are the whole ranking and each nation. Players with equal ratings share first place.

with periods as (
    select
        periods.rating_system_id,
        unnest(['world', players.nation_code]) as competition,
        periods.player_id,
        periods.rating,
        {{ to_nine_decimals('periods.rating') }} as compared_rating,
        periods.valid_from,
        periods.valid_to,
        year(coalesce(periods.valid_to - 1, max(periods.valid_from) over ())) as last_year
    from {{ ref('int_rating_periods') }} as periods
    inner join {{ ref('int_players') }} as players on periods.player_id = players.player_id
    where periods.is_ranked
),

contenders as (
    -- Nobody leads in a year with less than a rating that held throughout it. Without this filter, the comparison takes
    -- 641 CPU seconds and 20 GB at a million results, and 13 and 1.6 GB at 100,000.
    select distinct periods.*
    from periods
    cross join unnest(generate_series(year(periods.valid_from), periods.last_year)) as years (year)
    where periods.competition is not null
    qualify
        periods.compared_rating >= coalesce(max(
            case
                when
                    periods.valid_from <= make_date(years.year, 1, 1)
                    and coalesce(periods.valid_to > make_date(years.year, 12, 31), true)
                    then periods.compared_rating
            end
        ) over (partition by periods.rating_system_id, periods.competition, years.year), 0)
),

days as (
    select
        contenders.rating_system_id,
        contenders.competition,
        changes.day,
        lead(changes.day) over in_order as next_day,
        row_number() over in_order as number
    from contenders
    cross join unnest([contenders.valid_from, contenders.valid_to]) as changes (day)
    where changes.day is not null
    group by contenders.rating_system_id, contenders.competition, changes.day
    window in_order as (partition by contenders.rating_system_id, contenders.competition order by changes.day)
),

leaders as (
    select
        days.*,
        contenders.player_id,
        contenders.rating
    from days
    inner join contenders using (rating_system_id, competition)
    where days.day >= contenders.valid_from and (days.day < contenders.valid_to or contenders.valid_to is null)
    qualify rank() over (
        partition by days.rating_system_id, days.competition, days.day
        order by contenders.compared_rating desc
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
    {{ names_of('players') }},
    reigns.reigned_from,
    reigns.reigned_to,
    cast(reigns.reigned_to - reigns.reigned_from as integer) as days,
    reigns.highest_rating,
    reigns.was_shared
from reigns
inner join {{ ref('int_players') }} as players on reigns.player_id = players.player_id
order by reigns.rating_system_id, competition, players.nation_code, reigns.reigned_from, reigns.player_id
