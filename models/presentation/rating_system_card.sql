-- Grain: one row per rating system: its rules, and its differences from the default one.

with comparison as (
    select
        rating_system_id,
        cast(count(*) filter (where rank is distinct from default_rank) as integer) as players_moved,
        max(abs(places_gained)) as most_places,
        max(abs(rating_gained)) as most_points
    from {{ mart('system_comparison') }}
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
    cast((
        select count(*) from {{ mart('included_tournaments') }} as included
        where included.rating_system_id = rating_systems.rating_system_id and included.is_counted
    ) as integer) as tournaments_counted,
    cast((
        select count(*) from {{ mart('international_ranking') }} as ranking
        where ranking.rating_system_id = rating_systems.rating_system_id
    ) as integer) as ranked_players,
    comparison.players_moved,
    comparison.most_places,
    comparison.most_points
from {{ mart('rating_systems') }} as rating_systems
left join comparison on rating_systems.rating_system_id = comparison.rating_system_id
