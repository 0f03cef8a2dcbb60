{#
    Rule: whether a computed figure agrees with a published one. A published figure has two decimals, so an unrounded
    one may differ by half a hundredth. The billionth allows for floating-point arithmetic.
#}
{% macro agrees_with_published(ours, published) -%}
    coalesce(abs({{ ours }} - {{ published }}) <= 0.005 + 1e-9, false)
{%- endmacro %}
