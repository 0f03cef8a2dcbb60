{# A rating system `dptr` whose rules differ from the published ones. A collection of another game may omit it. #}
{% macro changed_published_rules(rows, declared) -%}
    {%- for rule, value in var('published_rules').items() %}
        {%- set published = '' if value is none else value | string -%}
    select
    {{ fault(
        'ref_rating_systems', "'dptr'", rule,
        "'" ~ rule ~ " ' || coalesce('`' || " ~ cell(rule) ~ " || '`', 'nothing') || ' in the published rules'",
        quoted('`' ~ published ~ '`' if published else 'nothing'),
        "'A variant of the rules is a row with an id of its own'"
    ) }}
    from {{ rows.ref_rating_systems }}
    where
        trim(rating_system_id) = 'dptr'
        and coalesce(cast(try_cast({{ rule }} as double) as string), {{ cell(rule) }}, '')
        != coalesce(cast(try_cast('{{ published }}' as double) as string), '{{ published }}')
    {{ 'union all' if not loop.last }}
    {% endfor -%}
{%- endmacro %}
