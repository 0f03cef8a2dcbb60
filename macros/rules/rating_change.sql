{#
    Rule: how far an event moves a rating: `tournament_value` percent of the way to the percentile score.

    From 55, an event of value 15 with percentile score 88.4615... moves a rating by 5.0192... Not rounded.
#}
{% macro rating_change(rating_before, percentile_score, tournament_value) -%}
    {{ tournament_value }} / 100 * ({{ percentile_score }} - {{ rating_before }})
{%- endmacro %}
