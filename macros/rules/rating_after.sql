{#
    Rule: the rating after a tournament, from the rating before it. Not rounded.

    Every step of a rating uses this macro: the ledger, its fold on Spark, ratings under other rules, and hypothetical
    tournaments.
#}
{% macro rating_after(rating_before, percentile_score, tournament_value) -%}
    {{ rating_before }} + {{ rating_change(rating_before, percentile_score, tournament_value) }}
{%- endmacro %}
