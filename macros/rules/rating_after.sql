{#
    Rule: a tournament moves a rating towards the percentile score by `tournament_value` percent of the gap. Not
    rounded.

    A tournament of value 15 with percentile score 88.4615... changes a rating of 55 by 5.0192...
    A tournament of value 0 changes it by 0: adding 0 removes the sign of `-0.0`.
#}
{% macro rating_change(rating_before, percentile_score, tournament_value) -%}
    {{ tournament_value }} / 100 * ({{ percentile_score }} - {{ rating_before }}) + 0
{%- endmacro %}


{#
    Rule: the rating after a tournament, from the rating before it. Not rounded.

    Every step of a rating uses this macro: the ledger, its fold on Spark, ratings under other rules, and hypothetical
    tournaments.
#}
{% macro rating_after(rating_before, percentile_score, tournament_value) -%}
    {{ rating_before }} + {{ rating_change(rating_before, percentile_score, tournament_value) }}
{%- endmacro %}
