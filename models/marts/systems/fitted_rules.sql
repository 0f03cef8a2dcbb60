-- Grain: one row per stored search for better rules.

select
    searched_until,
    tried,
    initial_rating,
    world_championship_value,
    one_round_divisor,
    several_rounds_divisor,
    base_value,
    maximum_value
from {{ ref('stg_fitted_rules') }}
order by searched_until
