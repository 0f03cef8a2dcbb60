{#
    Rule: the tournament value, in percent of the way from a rating to the percentile score.

    `value_rule` is what the macro of that name gives. Expects `players` and the rules of one rating system in scope.
    65 players in several rounds give least(65 / 3.5 + 2, 15) = 15.
#}
{% macro tournament_value(value_rule) -%}
    case {{ value_rule }}
        when 'world championship' then world_championship_value
        when 'one round' then least(players / one_round_divisor + base_value, maximum_value)
        when 'several rounds' then least(players / several_rounds_divisor + base_value, maximum_value)
        when 'rounds not declared' then least(players / several_rounds_divisor + base_value, maximum_value)
        else 0
    end
{%- endmacro %}
