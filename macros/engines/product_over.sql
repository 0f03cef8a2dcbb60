{#
    The product of a factor over the rows of a window. Over no rows, it is null in DuckDB and 1 in Spark.

    Spark SQL has no product: there the macro collects the factors and multiplies them. The order may differ, so the
    last bits may, too.
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
