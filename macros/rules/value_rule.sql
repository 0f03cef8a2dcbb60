{#
    Rule: which rule sets the value of a tournament. The first that applies, in this order.

    Expects the columns of one tournament (`players`, `rounds`, `ended_on`, `is_world_championship`, `is_withdrawn`) and
    of one rating system (`counted_from`, `opened_on`) in scope. `tournament_value` computes the value.
#}
{% macro value_rule() -%}
    case
        when is_withdrawn then 'withdrawn'
        when ended_on <= opened_on then 'before the opening'
        when players is null then 'players not declared'
        when is_world_championship then 'world championship'
        when ended_on < counted_from then 'before first counted day'
        when rounds is null then 'rounds not declared'
        when rounds = 1 then 'one round'
        else 'several rounds'
    end
{%- endmacro %}
