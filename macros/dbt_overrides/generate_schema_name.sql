{# Name each schema after its layer (`marts`), without dbt's default prefix, the target schema (`main_marts`). #}
{% macro generate_schema_name(custom_schema_name, node) -%}
    {{ custom_schema_name or target.schema }}
{%- endmacro %}
