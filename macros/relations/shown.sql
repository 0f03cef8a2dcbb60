{#
    The rows of a published table by the rating system that the collection shows first, to be read like a table.
#}
{% macro shown(model_name) -%}
    (
        select of_all_systems.*
        from {{ published(model_name) }} as of_all_systems
        inner join {{ published('settings') }} as of_collection
            on of_all_systems.rating_system_id = of_collection.rating_system_id
    )
{%- endmacro %}
