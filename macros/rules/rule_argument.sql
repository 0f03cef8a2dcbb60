{#
    A figure of the rules as an argument of a function; left out, or null, it is that of the rating system in `default_rules`.

    An argument must be what a rating system may have, which the seed of the rating systems says of each column. Any other ends
    the query with an error that says so: a rating under impossible rules would be a wrong number.
#}
{% macro rule_argument(rule, type='double') -%}
    {%- set seeds = graph.nodes if execute else {} -%}
    {%- set possible = seeds['seed.dip_pouch.ref_rating_systems'].columns[rule].config.meta if seeds else {} -%}
    case
        when {{ rule }} is null then default_rules.{{ rule }}
        when cast({{ rule }} as {{ type }}) between {{ possible.from }} and {{ possible.to }} then cast({{ rule }} as {{ type }})
        else error('found {{ rule }} ' || {{ rule }} || '; expected a number from {{ possible.from }} to {{ possible.to }}')
    end
{%- endmacro %}
