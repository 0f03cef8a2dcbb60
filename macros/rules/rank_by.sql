{# Rule: the rank by a rating, the highest first. Ratings that are equal to nine decimals share a rank (1, 2, 2, 4). #}
{% macro rank_by(rating, within=none) -%}
    cast(rank() over ({{ 'partition by ' ~ within if within }} order by {{ to_nine_decimals(rating) }} desc) as integer)
{%- endmacro %}
