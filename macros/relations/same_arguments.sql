{# The arguments for a function that has the same parameters as its caller, such as `day date := null`. #}
{% macro same_arguments(parameters=none) -%}
    {%- for parameter in parameters or config.get('parameters') -%}
        {%- set name = parameter.split(' ')[0] -%}
        {{ name }} => {{ name }}{{ ', ' if not loop.last }}
    {%- endfor -%}
{%- endmacro %}
