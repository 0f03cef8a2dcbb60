-- Grain: one row per rating system and tournament.
-- The tournament's value under the rules of the system, and the rule that set it.

with tournaments as (
    select * from {{ ref('int_tournaments') }}
),

rating_systems as (
    select * from {{ ref('int_rating_systems') }}
),

ruled as (
    select
        rating_systems.rating_system_id,
        rating_systems.world_championship_value,
        rating_systems.one_round_divisor,
        rating_systems.several_rounds_divisor,
        rating_systems.base_value,
        rating_systems.maximum_value,
        tournaments.tournament_id,
        tournaments.players,
        {{ value_rule() }} as value_rule
    from rating_systems
    cross join tournaments
),

valued as (
    select
        rating_system_id,
        tournament_id,
        value_rule,
        cast({{ tournament_value('value_rule') }} as double) as tournament_value
    from ruled
)

select
    *,
    tournament_value > 0 as is_counted
from valued
