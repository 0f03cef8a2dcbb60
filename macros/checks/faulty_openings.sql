{#
    Rating systems with half an opening: a published ranking without its day, or the other way round; and those whose
    ranking has no update of that day.
#}
{% macro faulty_openings(declared) -%}
    select
    {{ fault(none, 'ref_rating_systems', 'trim(rating_system_id)', 'opened_on', "coalesce(" ~ cell('opened_on') ~ ", '')", cell('opening_ranking')) }}
    from (
        select
            *,
            case
                when ({{ cell('opening_ranking') }} is null) != ({{ cell('opened_on') }} is null) then 'half_an_opening'
                when
                    trim(opening_ranking) in (select trim(ranking_name) from raw_published_rankings)
                    and (trim(opening_ranking), trim(opened_on)) not in (
                        select (trim(ranking_name), trim(last_update)) from raw_published_rankings
                    )
                    then 'unknown_opening'
            end as code
        from ref_rating_systems
    ) as openings
    where code is not null
{%- endmacro %}
