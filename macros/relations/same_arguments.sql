{# The arguments for a function that has the same parameters as its caller. #}
{% macro same_arguments() -%}
    {%- for parameter in config.get('parameters') -%}
        {%- set name = parameter.split(' ')[0] -%}
        {{ name }} => {{ name }}{{ ', ' if not loop.last }}
    {%- endfor -%}
{%- endmacro %}
