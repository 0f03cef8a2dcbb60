-- Grain: one row per rating system.

select
    trim(rating_system_id) as rating_system_id,

    trim(name) as name,
    trim(author) as author,

    cast(initial_rating as double) as initial_rating,
    cast(world_championship_value as double) as world_championship_value,
    cast(one_round_divisor as double) as one_round_divisor,
    cast(several_rounds_divisor as double) as several_rounds_divisor,
    cast(base_value as double) as base_value,
    cast(maximum_value as double) as maximum_value,

    cast(first_counted_on as date) as first_counted_on,
    cast(counted_years as integer) as counted_years,

    nullif(trim(opening_ranking), '') as opening_ranking,
    cast(opened_on as date) as opened_on,
    nullif(trim(reproduced_ranking), '') as reproduced_ranking
from {{ ref('ref_rating_systems') }}
