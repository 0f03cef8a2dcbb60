-- Whoever changes this row changes every published rating: a variant of the rules is a new row.
-- A collection of another game need not have it.
select rating_system_id
from {{ ref('stg_rating_systems') }}
where
    rating_system_id = 'dptr'
    and (
        false
        {%- for rule, value in var('published_rules').items() %}
            {%- set to = 'null' if value is none else "cast('" ~ value ~ "' as date)" if value is string else value %}
            or {{ rule }} is distinct from {{ to }}
        {%- endfor %}
    )
