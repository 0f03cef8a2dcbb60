{# The columns of a person that stand beside the person's id in a mart: the names, and the nation. #}
{% macro names_of(person) -%}
    {{ person }}.player_name,
    {{ person }}.first_name,
    {{ person }}.last_name,
    {{ person }}.nation_code,
    {{ person }}.nation_name
{%- endmacro %}
