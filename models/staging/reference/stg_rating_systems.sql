-- Grain: one row per rating system.

select
    rating_system_id,

    trim(name) as name,
    trim(author) as author,

    initial_rating,
    world_championship_value,
    one_round_divisor,
    several_rounds_divisor,
    base_value,
    maximum_value,

    first_counted_on,
    counted_years
from {{ ref('ref_rating_systems') }}
