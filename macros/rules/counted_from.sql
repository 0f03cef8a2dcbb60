{#
    Rule: the first day that counts: the first counted day or, if only some years count, the day that many years before
    the last tournament, whichever is later. Null counts everything.

    There is no clock: years are counted back from the last known tournament. Ten years before 29 February is 28
    February.
#}
{% macro counted_from(first_counted_on, counted_years, last_event_on) -%}
    greatest(
        {{ first_counted_on }},
        cast({{ last_event_on }} - interval '1' year * {{ counted_years }} as date)
    )
{%- endmacro %}
