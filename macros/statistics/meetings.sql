{#
    What meetings come to: how often two people met, who was ahead, and when they met last. A meeting is a tournament where
    both have a placement.

    Expects rows of meetings in scope, with the columns `placement`, `opponent_placement` and `ended_on`.
#}
{% macro meetings() -%}
    cast(count(*) as integer) as tournaments,
    cast(count(*) filter (where placement < opponent_placement) as integer) as times_ahead,
    cast(count(*) filter (where placement > opponent_placement) as integer) as times_behind,
    cast(count(*) filter (where placement = opponent_placement) as integer) as times_level,
    max(ended_on) as last_met_on
{%- endmacro %}
