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


{#
    Rating systems with half an opening: a published ranking without its day, or the other way round; and those whose
    ranking has no update of that day.
#}
{% macro faulty_openings(declared) -%}
    select
        case
            when ({{ cell('opening_ranking') }} is null) != ({{ cell('opened_on') }} is null) then 'half_an_opening'
            when
                trim(opening_ranking) in (select trim(ranking_name) from raw_published_rankings)
                and (trim(opening_ranking), trim(opened_on)) not in (
                    select (trim(ranking_name), trim(last_update)) from raw_published_rankings
                )
                then 'unknown_opening'
        end as code,
    {{ fault(none, 'ref_rating_systems', 'trim(rating_system_id)', 'opened_on', "coalesce(" ~ cell('opened_on') ~ ", '')", cell('opening_ranking')) }}
    from ref_rating_systems
    where code is not null
{%- endmacro %}
