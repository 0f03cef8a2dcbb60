{#
    A rating to compare with others. The last bits of a double depend on the way to it: exactly equal ratings differ by
    up to about 1e-13.

    The addition keeps them on one side of the boundary between two roundings, on which ratings with ten decimals may lie.
#}
{% macro to_nine_decimals(rating) -%}
    round({{ rating }} + 1e-10 / 3, 9)
{%- endmacro %}
