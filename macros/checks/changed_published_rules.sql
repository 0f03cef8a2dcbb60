{# A rating system `dptr` whose rules differ from the published ones. A collection of another game may omit it. #}
{% macro changed_published_rules() -%}
    {%- for rule, published in var('published_rules').items() %}
    select {{ fault('other_rule', 'ref_rating_systems', "'dptr'", rule, "coalesce(" ~ rule ~ ", '')", "'" ~ (published or '') ~ "'") }}
    from {{ ref('ref_rating_systems') }}
    where
        trim(rating_system_id) = 'dptr'
        and coalesce(trim({{ rule }}), '') != '{{ published or '' }}'
        -- 40 and 40.0 are one rule.
        and (try_cast({{ rule }} as double) = try_cast('{{ published or '' }}' as double)) is not true
    {{ 'union all' if not loop.last }}
    {%- endfor %}
{%- endmacro %}
