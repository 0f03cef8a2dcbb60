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


{#
    Rule: the tournament value, as a percentage of the gap between rating and percentile score.

    `value_rule` is the result of the macro of that name. Expects `players` and the rules of one rating system in scope.
    `rules` names their table, for a function whose parameters have the names of the rules. 65 players in several rounds
    give least(65 / 3.5 + 2, 15) = 15.
#}
{% macro tournament_value(value_rule, rules=none) -%}
    {%- set of = rules ~ '.' if rules else '' %}
    case {{ value_rule }}
        when 'world championship' then {{ of }}world_championship_value
        when 'one round' then least(players / {{ of }}one_round_divisor + {{ of }}base_value, {{ of }}maximum_value)
        when 'several rounds' then least(players / {{ of }}several_rounds_divisor + {{ of }}base_value, {{ of }}maximum_value)
        when 'rounds not declared' then least(players / {{ of }}several_rounds_divisor + {{ of }}base_value, {{ of }}maximum_value)
        else 0
    end
{%- endmacro %}
