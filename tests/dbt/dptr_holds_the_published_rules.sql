-- Whoever changes this row changes every published rating: a variant of the rules is a new row.
-- A collection of another game need not have it.
with published as (
    select rating_system_id
    from {{ ref('stg_rating_systems') }}
    where
        rating_system_id = 'dptr'
        and initial_rating = 40
        and world_championship_value = 20
        and one_round_divisor = 7
        and several_rounds_divisor = 3.5
        and base_value = 2
        and maximum_value = 15
        and first_counted_on = cast('2001-01-01' as date)
        and counted_years is null
)

select rating_system_id
from {{ ref('stg_rating_systems') }}
where rating_system_id = 'dptr'

except

select rating_system_id
from published
