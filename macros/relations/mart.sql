{# A mart or function of `marts` without the database name, which differs between the build and the published file. #}
{% macro mart(model_name) -%}
    {{ ref(model_name).include(database=false) }}
{%- endmacro %}
