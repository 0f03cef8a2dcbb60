{# Cells of a seed that break the declaration of their column, and duplicate keys. #}
{% macro seed_faults(seed, rows, declared) -%}
    {{ unfit_cells(seed, rows, declared) }}

    union all

    {{ repeated_keys(seed, rows, declared) }}
{%- endmacro %}
