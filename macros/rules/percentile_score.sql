{#
    Rule: the percentile score of a placement, from just above 0 to just below 100. Not rounded.

    `players` is the number that the tournament declares, never a count of listed results. Placement 8 of 65 players
    gives 88.4615...
#}
{% macro percentile_score(players, placement) -%}
    (cast({{ players }} as double) + 0.5 - {{ placement }}) / {{ players }} * 100
{%- endmacro %}
