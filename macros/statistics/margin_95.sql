{#
    Half the width of the 95 % confidence interval of a mean, by the normal approximation: 1.96 standard errors.

    Null for fewer than two values. Below about thirty values, the true interval is wider. `in_order` is a total order
    of the values, because a sum of doubles depends on their order.
#}
{% macro margin_95(value, in_order) -%}
    1.96 * stddev_samp({{ value }} order by {{ in_order }}) / sqrt(count({{ value }}))
{%- endmacro %}
