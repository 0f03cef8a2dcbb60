{# The rating system that the settings of the collection name: shown first, and compared with what documents print. #}
{% macro shown_system() -%}
    (select settings.rating_system from {{ ref('stg_settings') }} as settings)
{%- endmacro %}
