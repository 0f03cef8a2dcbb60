{#
    Tournaments that end before they start or last too long, after corrections. The fault of a corrected tournament is
    at the last correction of its days.
#}
{% macro impossible_days() -%}
    with corrected as (
        select
            tournament_id,
            max(correction_number) as correction_number
        from {{ ref('stg_corrections') }}
        where is_current and corrected_value is not null and field in ('started_on', 'ended_on')
        group by tournament_id
    ),

    checked as (
        select
            *,
            case when correction_number is null then 'raw_tournaments' else 'ref_corrections' end as seed,
            case
                when ended_on < started_on then 'days_reversed'
                when ended_on - started_on > {{ var('longest_event_days') }} then 'days_apart'
            end as code
        from {{ ref('int_tournaments') }}
        left join corrected using (tournament_id)
    )

    select
    {{ fault(
        none, none, "coalesce(cast(correction_number as varchar), document_id || ' ' || tournament_id)", 'ended_on',
        'started_on', 'ended_on', "case seed when 'ref_corrections' then tournament_id else '' end"
    ) }}
    from checked
{%- endmacro %}
