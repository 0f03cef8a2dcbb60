-- Grain: one row per player ranked on a day by a rating system, best first: the ranking, and the changes since an
-- earlier day.
-- select * from marts.ranking_between(day => '2013-12-31', since => '2009-12-31')

with earlier as (
    select *
    from
        {{ mart('ranking_on') }}(
            system => system,
            day => coalesce(since, error('found no day to compare with; expected one, as in since => ''2009-12-31'''))
        )
),

active as (
    -- Without a day, players are active on the last update, as in `international_ranking`.
    select
        {{ active_from(
            'case when isfinite(cast(day as date)) then cast(day as date) else last_update end',
            '(select settings.active_years from ' ~ mart('settings') ~ ' as settings)'
        ) }} as active_from
    from {{ mart('rating_systems') }}
    where rating_system_id = {{ asked_system() }}
),

ranking as (
    select
        *,
        coalesce(last_played_on >= (select active.active_from from active), false) as is_active
    from {{ mart('ranking_on') }}(system => system, day => day)
)

select
    ranking.rank,
    earlier.rank as earlier_rank,
    earlier.rank - ranking.rank as places_gained,
    ranking.player_id,
    {{ names_of('ranking') }},
    -- Players without a known nation have no national rank.
    case
        when ranking.nation_code is not null then {{ rank_by('ranking.rating', within='ranking.nation_code') }}
    end as national_rank,
    ranking.is_active,
    case
        when ranking.is_active then {{ rank_by('ranking.rating', within='ranking.is_active') }}
    end as active_rank,
    ranking.rating,
    earlier.rating as earlier_rating,
    ranking.rating - earlier.rating as rating_gained,
    ranking.tournaments_counted,
    ranking.last_played_on
from ranking
left join earlier on ranking.player_id = earlier.player_id
order by ranking.rank, ranking.player_id
