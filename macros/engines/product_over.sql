{#
    The product of a factor over the rows of a window; null or 1 where it has none.

    Spark's SQL has no product: there the factors of the window are collected and multiplied one after the other.
    Both multiply the same numbers, in another order: they differ in the last bits at most.
#}
{% macro product_over(factor, window) -%}
    {{ adapter.dispatch('product_over')(factor, window) }}
{%- endmacro %}

{% macro duckdb__product_over(factor, window) -%}
    product({{ factor }}) over {{ window }}
{%- endmacro %}

{% macro spark__product_over(factor, window) -%}
    aggregate(collect_list({{ factor }}) over {{ window }}, cast(1 as double), (product, factor) -> product * factor)
{%- endmacro %}
