{# The schema of a layer is its own name (`marts`), not dbt's default of target schema and name (`main_marts`). #}
{% macro generate_schema_name(custom_schema_name, node) -%}
    {{ custom_schema_name or target.schema }}
{%- endmacro %}
