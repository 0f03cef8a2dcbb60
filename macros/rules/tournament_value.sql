{#
    Rule: the tournament value, in percent of the way from a rating to the percentile score.

    `value_rule` is what the macro of that name gives. Expects `players` and the rules of one rating system in scope; in a function
    whose parameters have the names of the rules, `rules` says of which table they are.
    65 players in several rounds give least(65 / 3.5 + 2, 15) = 15.
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
