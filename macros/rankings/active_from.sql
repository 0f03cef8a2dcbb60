{# Rule: on a day, a player is active who has finished a rated tournament on or after this day, some years before. #}
{% macro active_from(day, active_years) -%}
    cast({{ day }} - interval '1' year * {{ active_years }} as date)
{%- endmacro %}
