-- Grain: one row per stored search for better rules.

select
    cast(searched_until as date) as searched_until,
    cast(tried as integer) as tried,
    cast(initial_rating as double) as initial_rating,
    cast(world_championship_value as double) as world_championship_value,
    cast(one_round_divisor as double) as one_round_divisor,
    cast(several_rounds_divisor as double) as several_rounds_divisor,
    cast(base_value as double) as base_value,
    cast(maximum_value as double) as maximum_value
from {{ ref('ref_fitted_rules') }}
