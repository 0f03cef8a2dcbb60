{#
    Statistics of the meetings of two players: how many, who finished ahead, and the last date. A meeting is a
    tournament in which both have a placement.

    Expects one row per meeting in scope, with the columns `placement`, `opponent_placement` and `ended_on`.
#}
{% macro meetings() -%}
    cast(count(*) as integer) as tournaments,
    cast(count(*) filter (where placement < opponent_placement) as integer) as times_ahead,
    cast(count(*) filter (where placement > opponent_placement) as integer) as times_behind,
    cast(count(*) filter (where placement = opponent_placement) as integer) as times_level,
    max(ended_on) as last_met_on
{%- endmacro %}
