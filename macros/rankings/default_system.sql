{# The default rating system, which the settings of the collection name; documents print its figures. #}
{% macro default_system() -%}
    (select settings.rating_system from {{ ref('stg_settings') }} as settings)
{%- endmacro %}
