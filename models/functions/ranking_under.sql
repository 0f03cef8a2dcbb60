-- Grain: one row per player, best first: rating and rank under other rules, and under the default ones.
-- select * from marts.ranking_under(maximum_value => 20, counted_years => 10)
-- Omitted arguments default to the rules of the default rating system.

with system as (
    select
        rating_systems.initial_rating as default_initial_rating,
        coalesce(cast(initial_rating as double), rating_systems.initial_rating) as initial_rating,
        coalesce(cast(day as date), cast('infinity' as date)) as day
    from {{ mart('rating_systems') }} as rating_systems
    where rating_systems.is_default
),

careers as (
    select
        player_id,
        arg_max(rating_after, event_number) as rating,
        cast(count(*) filter (where is_counted) as integer) as tournaments_counted
    from {{ mart('history_under') }}({{ same_arguments() }})
    group by player_id
),

standings as (
    -- Other rules change the initial rating, but no opening rating.
    select
        breakdown.player_id,
        case
            when careers.rating is not null then careers.rating
            when breakdown.opened_on <= system.day then breakdown.percentile_score
            else system.initial_rating
        end as rating,
        coalesce(careers.tournaments_counted, 0) as tournaments_counted,
        coalesce(careers.tournaments_counted > 0 or breakdown.opened_on <= system.day, false) as is_ranked
    from {{ of_default_system('rating_breakdown') }} as breakdown
    cross join system
    left join careers on breakdown.player_id = careers.player_id
    where breakdown.event_number = 0
),

default_ranking as (
    select * from {{ mart('ranking_on') }}(day => day)
)

select
    players.player_id,
    players.player_name,
    players.nation_code,
    players.nation_name,
    standings.rating,
    case when standings.is_ranked then {{ rank_by('standings.rating', within='standings.is_ranked') }} end as rank,
    standings.tournaments_counted,
    coalesce(default_ranking.rating, system.default_initial_rating) as default_rating,
    default_ranking.rank as default_rank
from {{ mart('players') }} as players
cross join system
inner join standings on players.player_id = standings.player_id
left join default_ranking on players.player_id = default_ranking.player_id
order by rank nulls last, default_ranking.rank nulls last, players.player_id
