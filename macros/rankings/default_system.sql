{# The default rating system of the collection's settings. Documents print its figures. #}
{% macro default_system() -%}
    (select settings.rating_system from {{ ref('stg_settings') }} as settings)
{%- endmacro %}
