-- Grain: one row per rating system.

with last_counted as (
    select
        tournament_values.rating_system_id,
        max(tournaments.ended_on) as last_update
    from {{ ref('int_tournament_values') }} as tournament_values
    inner join {{ ref('int_tournaments') }} as tournaments
        on tournament_values.tournament_id = tournaments.tournament_id
    where tournament_values.is_counted
    group by tournament_values.rating_system_id
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
    last_counted.last_update
from {{ ref('stg_rating_systems') }} as rating_systems
left join last_counted on rating_systems.rating_system_id = last_counted.rating_system_id
order by rating_systems.rating_system_id
