{# Whether an entire text matches a regular expression. #}
{% macro matches(text, pattern) -%}
    {%- if target.type == 'spark' -%}
        {{ text }} rlike '^(?:{{ pattern | replace('\\', '\\\\') }})$'
    {%- else -%}
        regexp_full_match({{ text }}, '{{ pattern }}')
    {%- endif -%}
{%- endmacro %}
