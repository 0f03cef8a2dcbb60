{#
    A rule as an argument of a function; if omitted or null, that of the rating system in `default_rules`.

    The seed of rating systems declares the range of each rule. Any other value would give wrong ratings: an error.
#}
{% macro rule_argument(rule, type='double') -%}
    {%- set seeds = graph.nodes if execute else {} -%}
    {%- set possible = seeds['seed.dip_pouch.ref_rating_systems'].columns[rule].config.meta if seeds else {} -%}
    case
        when {{ rule }} is null then default_rules.{{ rule }}
        when cast({{ rule }} as {{ type }}) = {{ rule }} and {{ rule }} between {{ possible.from }} and {{ possible.to }}
            then cast({{ rule }} as {{ type }})
        else error('found {{ rule }} ' || {{ rule }} || '; expected a{{ ' whole' if type == 'integer' }} number from {{ possible.from }} to {{ possible.to }}')
    end
{%- endmacro %}
