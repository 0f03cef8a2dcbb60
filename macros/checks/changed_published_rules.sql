{# A rating system `dptr` whose rules differ from the published ones. A collection of another game may omit it. #}
{% macro changed_published_rules(declared) -%}
    {%- for rule, value in var('published_rules').items() %}
        {%- set published = '' if value is none else value | string %}
    select
    {{ fault('other_rule', 'ref_rating_systems', "'dptr'", rule, "coalesce(" ~ cell(rule) ~ ", '')", quoted(published)) }}
    from ref_rating_systems
    where
        trim(rating_system_id) = 'dptr'
        and coalesce(cast(try_cast({{ rule }} as double) as varchar), {{ cell(rule) }}, '')
        != coalesce(cast(try_cast('{{ published }}' as double) as varchar), '{{ published }}')
    {{ 'union all' if not loop.last }}
    {%- endfor %}
{%- endmacro %}
