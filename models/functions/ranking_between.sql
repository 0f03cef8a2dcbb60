-- Grain: one row per player ranked on a day by a rating system, best first: the ranking, and the changes since an
-- earlier day.
-- select * from marts.ranking_between(day => '2013-12-31', since => '2009-12-31')

with asked as (
    select
        {{ asked_system() }} as rating_system_id,
        coalesce(cast(day as date), cast('infinity' as date)) as day,
        coalesce(
            cast(since as date),
            error('found no day to compare with; expected one, as in since => ''2009-12-31''')
        ) as since
),

days as (
    select
        asked.rating_system_id,
        -- Two equal days would list every player twice.
        unnest(list_distinct([asked.day, asked.since])) as day
    from asked
),

rankings as (
    {{ rankings_on(days='days', periods=mart('rating_periods')) }}
),

judged as (
    select
        rankings.*,
        {{ player_name('players') }} as player_name,
        players.first_name,
        players.last_name,
        players.nation_code,
        rankings.last_played_on >= rankings.day - interval '1' year * settings.active_years as is_active
    from rankings
    inner join asked on rankings.day = asked.day
    inner join {{ mart('players') }} as players on rankings.player_id = players.player_id
    cross join {{ mart('settings') }} as settings
),

earlier as (
    select rankings.*
    from rankings
    inner join asked on rankings.day = asked.since
)

select
    judged.rank,
    earlier.rank as earlier_rank,
    earlier.rank - judged.rank as places_gained,
    judged.player_id,
    judged.player_name,
    judged.first_name,
    judged.last_name,
    judged.nation_code,
    nations.nation_name,
    -- Players without a known nation have no national rank.
    case
        when judged.nation_code is not null
            then cast(rank() over (partition by judged.nation_code order by judged.rating desc) as integer)
    end as national_rank,
    judged.is_active,
    case
        when judged.is_active
            then cast(rank() over (partition by judged.is_active order by judged.rating desc) as integer)
    end as active_rank,
    judged.rating,
    earlier.rating as earlier_rating,
    judged.rating - earlier.rating as rating_gained,
    judged.tournaments_counted,
    judged.last_played_on
from judged
left join earlier on judged.player_id = earlier.player_id
left join {{ mart('nations') }} as nations on judged.nation_code = nations.nation_code
order by judged.rank, judged.player_id
