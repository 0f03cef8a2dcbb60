-- Grain: one row per collection (exactly one row).
-- Settings that the seed omits have the defaults of dbt_project.yml.

with stated as (
    select
        trim(setting) as setting,
        nullif(trim(value), '') as value
    from {{ ref('ref_settings') }}
)

select
    {% for setting, default in var('default_settings').items() -%}
        cast(
            coalesce(max(value) filter (where setting = '{{ setting }}'), '{{ default }}')
            as {{ 'integer' if setting == 'active_years' else 'string' }}
        ) as {{ setting }}
        {%- if not loop.last %},{% endif %}
    {% endfor %}
from stated
