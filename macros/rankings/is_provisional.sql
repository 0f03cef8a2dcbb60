{# Whether more than half of a rating is still the initial one, by the weight that this has in it. #}
{% macro is_provisional(initial_weight) -%}
    {{ initial_weight }} > 0.5
{%- endmacro %}
