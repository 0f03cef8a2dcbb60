{# Name of a person for display: `Edi BIRSAN`. Some people have only one of the two parts. #}
{% macro player_name(person) -%}
    concat_ws(' ', nullif({{ person }}.first_name, ''), nullif({{ person }}.last_name, ''))
{%- endmacro %}
