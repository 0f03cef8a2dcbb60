{# Number of non-ASCII letters in a name. Only DuckDB's `regexp_replace` needs a flag to replace all matches. #}
{% macro letters_beyond_ascii(name) -%}
    {{ adapter.dispatch('letters_beyond_ascii')(name) }}
{%- endmacro %}

{% macro duckdb__letters_beyond_ascii(name) -%}
    length(regexp_replace({{ name }}, '[ -~]', '', 'g'))
{%- endmacro %}

{% macro spark__letters_beyond_ascii(name) -%}
    length(regexp_replace({{ name }}, '[ -~]', ''))
{%- endmacro %}
