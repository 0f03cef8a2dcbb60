{# The default rating system of the collection's settings. Documents print its figures. #}
{% macro default_system() -%}
    (select settings.rating_system from {{ ref('stg_settings') }} as settings)
{%- endmacro %}


{# The rows of a mart under the default rating system, for a FROM clause. #}
{% macro of_default_system(model_name) -%}
    (
        select of_all_systems.*
        from {{ mart(model_name) }} as of_all_systems
        inner join {{ mart('settings') }} as of_collection
            on of_all_systems.rating_system_id = of_collection.rating_system_id
    )
{%- endmacro %}
