{#
    Rule: whether one of our figures is what a document published. A published figure has two decimals, so ours, which
    is not rounded, may be half a hundredth off, and no more; the billionth is for the arithmetic of doubles.
#}
{% macro agrees_with_published(ours, published) -%}
    coalesce(abs({{ ours }} - {{ published }}) <= 0.005 + 1e-9, false)
{%- endmacro %}
