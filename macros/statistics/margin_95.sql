{#
    Half the width of the 95 % confidence interval of a mean, by the normal approximation: 1.96 standard errors.

    Null for fewer than two values. With fewer than about thirty the true interval is wider.
#}
{% macro margin_95(value) -%}
    1.96 * stddev_samp({{ value }}) / sqrt(count({{ value }}))
{%- endmacro %}
