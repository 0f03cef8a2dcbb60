{#
    Rule: the first day on which tournaments count. It is the latest of `first_counted_on`, the day `counted_years`
    before the last tournament, and the day after `opened_on`. Null counts everything.

    Years are counted back from the last known tournament, not from today. Ten years before 29 February is 28 February.
#}
{% macro counted_from(first_counted_on, counted_years, opened_on, last_event_on) -%}
    greatest(
        {{ first_counted_on }},
        cast({{ last_event_on }} - interval '1' year * {{ counted_years }} as date),
        cast({{ opened_on }} + interval '1' day as date)
    )
{%- endmacro %}
