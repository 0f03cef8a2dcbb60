{#
    A published table or function as its readers name it, `marts.players`: without the name of the database, which is another one
    after publication.
#}
{% macro published(model_name) -%}
    {{ ref(model_name).include(database=false) }}
{%- endmacro %}
