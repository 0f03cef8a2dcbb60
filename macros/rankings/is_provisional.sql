{# Whether the initial rating has more than half of the weight in a rating; `start` is event 0 of its breakdown. #}
{% macro is_provisional(start) -%}
    {{ start }}.opened_on is null and {{ start }}.weight > 0.5
{%- endmacro %}
