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

active as (
    -- Without a day, players are active on the last update, as in active_ranking.
    select
        {{ active_from(
            'case when isfinite(asked.day) then asked.day else systems.last_update end', 'settings.active_years'
        ) }} as active_from
    from asked
    inner join {{ mart('rating_systems') }} as systems on asked.rating_system_id = systems.rating_system_id
    cross join {{ mart('settings') }} as settings
),

current_ranking as (
    select
        rankings.*,
        {{ player_name('players') }} as player_name,
        players.first_name,
        players.last_name,
        players.nation_code,
        coalesce(rankings.last_played_on >= active.active_from, false) as is_active
    from rankings
    inner join asked on rankings.day = asked.day
    inner join {{ mart('players') }} as players on rankings.player_id = players.player_id
    cross join active
)

select
    current_ranking.rank,
    earlier.rank as earlier_rank,
    earlier.rank - current_ranking.rank as places_gained,
    current_ranking.player_id,
    current_ranking.player_name,
    current_ranking.first_name,
    current_ranking.last_name,
    current_ranking.nation_code,
    nations.nation_name,
    -- Players without a known nation have no national rank.
    case
        when current_ranking.nation_code is not null
            then {{ rank_by('current_ranking.rating', within='current_ranking.nation_code') }}
    end as national_rank,
    current_ranking.is_active,
    case
        when current_ranking.is_active
            then {{ rank_by('current_ranking.rating', within='current_ranking.is_active') }}
    end as active_rank,
    current_ranking.rating,
    earlier.rating as earlier_rating,
    current_ranking.rating - earlier.rating as rating_gained,
    current_ranking.tournaments_counted,
    current_ranking.last_played_on
from current_ranking
cross join asked
left join rankings as earlier on current_ranking.player_id = earlier.player_id and asked.since = earlier.day
left join {{ mart('nations') }} as nations on current_ranking.nation_code = nations.nation_code
order by current_ranking.rank, current_ranking.player_id
