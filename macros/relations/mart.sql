{# A mart or a function of `marts` without the name of the database: the published file has another name than the build. #}
{% macro mart(model_name) -%}
    {{ ref(model_name).include(database=false) }}
{%- endmacro %}
