-- Grain: one row per rating system: its rules, and what it changes beside the default one.

with comparison as (
    select
        rating_system_id,
        cast(count(*) filter (where places_gained != 0) as integer) as players_moved,
        max(abs(places_gained)) as most_places,
        max(abs(rating_gained)) as most_points
    from {{ mart('system_comparison') }}
    group by rating_system_id
),

counted as (
    select
        rating_system_id,
        cast(count(*) filter (where is_counted) as integer) as tournaments_counted
    from {{ mart('included_tournaments') }}
    group by rating_system_id
),

ranked as (
    select
        rating_system_id,
        cast(count(*) as integer) as ranked_players
    from {{ mart('international_ranking') }}
    group by rating_system_id
)

select
    rating_systems.rating_system_id,
    rating_systems.name,
    rating_systems.author,
    rating_systems.initial_rating,
    rating_systems.world_championship_value,
    rating_systems.one_round_divisor,
    rating_systems.several_rounds_divisor,
    rating_systems.base_value,
    rating_systems.maximum_value,
    rating_systems.first_counted_on,
    rating_systems.counted_years,
    rating_systems.counted_from,
    rating_systems.last_update,
    rating_systems.is_default,
    coalesce(counted.tournaments_counted, 0) as tournaments_counted,
    coalesce(ranked.ranked_players, 0) as ranked_players,
    comparison.players_moved,
    comparison.most_places,
    comparison.most_points
from {{ mart('rating_systems') }} as rating_systems
left join comparison on rating_systems.rating_system_id = comparison.rating_system_id
left join counted on rating_systems.rating_system_id = counted.rating_system_id
left join ranked on rating_systems.rating_system_id = ranked.rating_system_id
