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
