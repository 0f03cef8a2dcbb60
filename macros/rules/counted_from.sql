{#
    Rule: from which day on events count: the first counted day, or, where only some years count, the day so many years before
    the last event, if that is later.

    There is no clock: years are counted back from the last event that is known. Ten years before 29 February are 28 February. Null counts
    everything.
#}
{% macro counted_from(first_counted_on, counted_years, last_event_on) -%}
    greatest(
        {{ first_counted_on }},
        cast({{ last_event_on }} - interval '1' year * {{ counted_years }} as date)
    )
{%- endmacro %}
