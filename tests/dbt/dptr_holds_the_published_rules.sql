-- Whoever changes this row changes every published rating: a variant of the rules is a new row.
with published as (
    select count(*) as matching_rows
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

select matching_rows
from published
where matching_rows != 1
