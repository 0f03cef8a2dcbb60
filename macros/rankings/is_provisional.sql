{# Whether the initial rating has more than half of the weight in a rating. #}
{% macro is_provisional(initial_weight) -%}
    {{ initial_weight }} > 0.5
{%- endmacro %}
