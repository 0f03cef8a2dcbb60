{# The name of a person as people read it: `Edi BIRSAN`. Some have only one of the two parts. #}
{% macro player_name(person) -%}
    concat_ws(' ', nullif({{ person }}.first_name, ''), nullif({{ person }}.last_name, ''))
{%- endmacro %}
