{# Cells of a seed that are not what is declared of their columns, and keys that occur twice. #}
{% macro seed_faults(seed, rows, declared) -%}
    {{ unfit_cells(seed, rows, declared) }}

    union all

    {{ repeated_keys(seed, rows, declared) }}
{%- endmacro %}
