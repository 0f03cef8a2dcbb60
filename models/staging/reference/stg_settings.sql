-- Grain: one row per collection (exactly one row).
-- Settings that the seed omits have the defaults of dbt_project.yml.

{%- set defaults = var('default_settings') %}

with stated as (
    select
        trim(setting) as setting,
        nullif(trim(value), '') as value
    from {{ ref('ref_settings') }}
),

settings as (
    select
        {% for setting, default in defaults.items() -%}
            coalesce(
                max(value) filter (where setting = '{{ setting }}'), '{{ default }}'
            ) as {{ setting }}
            {%- if not loop.last %},{% endif %}
        {% endfor %}
    from stated
)

select * replace (cast(active_years as integer) as active_years)
from settings
