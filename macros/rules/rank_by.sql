{#
    A rating to compare with others. The last bits of a double depend on how it was computed: exactly equal ratings
    differ by up to about 1e-13.

    The addition keeps equal ratings on one side of a rounding boundary, on which ratings with ten decimals may lie.
#}
{% macro to_nine_decimals(rating) -%}
    round({{ rating }} + 1e-10 / 3, 9)
{%- endmacro %}


{# Rule: the rank by a rating, the highest first. Ratings that are equal to nine decimals share a rank (1, 2, 2, 4). #}
{% macro rank_by(rating, within=none) -%}
    cast(rank() over ({{ 'partition by ' ~ within if within }} order by {{ to_nine_decimals(rating) }} desc) as integer)
{%- endmacro %}
