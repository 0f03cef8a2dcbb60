{#
    Rating systems that open with a published ranking without its day, with a day without a ranking, or on a day without
    an update of the ranking. `cell_faults` reports an unknown ranking.
#}
{% macro faulty_openings() -%}
    with checked as (
        select
            systems.rating_system_id,
            systems.opening_ranking,
            systems.opened_on,
            case
                when (systems.opening_ranking is null) != (systems.opened_on is null) then 'half_an_opening'
                when count(published.ranking_name) > 0 and not bool_or(published.last_update = systems.opened_on)
                    then 'unknown_opening'
            end as code
        from {{ ref('stg_rating_systems') }} as systems
        left join {{ ref('stg_published_rankings') }} as published on systems.opening_ranking = published.ranking_name
        group by systems.rating_system_id, systems.opening_ranking, systems.opened_on
    )

    select
    {{ fault(none, 'ref_rating_systems', 'rating_system_id', 'opened_on', "coalesce(cast(opened_on as varchar), '')", 'opening_ranking') }}
    from checked
{%- endmacro %}
