{#
    How many letters of a name are beyond ASCII. Engines differ in how `regexp_replace` is told to replace all.
#}
{% macro letters_beyond_ascii(name) -%}
    {{ adapter.dispatch('letters_beyond_ascii')(name) }}
{%- endmacro %}

{% macro duckdb__letters_beyond_ascii(name) -%}
    length(regexp_replace({{ name }}, '[ -~]', '', 'g'))
{%- endmacro %}

{% macro spark__letters_beyond_ascii(name) -%}
    length(regexp_replace({{ name }}, '[ -~]', ''))
{%- endmacro %}
