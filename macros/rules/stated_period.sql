{#
    Rule: the year (`2004`) or the month (`2004-08`) that a source states instead of days; null for days. The first and
    the last day of the tournament are those of the period, so that the tournament counts on its last day.
    Expects `started_on` and `ended_on` in scope.
#}
{% macro stated_period() -%}
    case
        when day(started_on) != 1 or ended_on != last_day(ended_on) or year(started_on) != year(ended_on) then null
        when month(started_on) = month(ended_on) then substr(cast(ended_on as string), 1, 7)
        when month(started_on) = 1 and month(ended_on) = 12 then substr(cast(ended_on as string), 1, 4)
    end
{%- endmacro %}
