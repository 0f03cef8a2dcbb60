{#
    Tournaments that end before they start or last too long, after corrections. The fault of a corrected tournament is
    at the last correction in force.
#}
{% macro impossible_days(declared) -%}
    select
        case
            when ended_on < started_on then 'days_reversed'
            when ended_on - started_on > {{ var('longest_event_days') }} then 'days_apart'
        end as code,
    {{ fault(none, none, 'row_key', 'ended_on', 'started_on', 'ended_on', 'corrected') }}
    from (
        select
            case when starts.value is null and ends.value is null then 'raw_tournaments' else 'ref_corrections' end as seed,
            case when starts.value is null and ends.value is null then '' else trim(stated.tournament_id) end as corrected,
            case when starts.number > coalesce(ends.number, -1) then starts.row_key else coalesce(ends.row_key, trim(stated.tournament_id)) end as row_key,
            case when starts.number > coalesce(ends.number, -1) then starts.line else coalesce(ends.line, stated.line) end as line,
            try_cast(coalesce(starts.value, stated.started_on) as date) as started_on,
            try_cast(coalesce(ends.value, stated.ended_on) as date) as ended_on
        from raw_tournaments as stated
        left join {{ corrected_field('started_on') }} as starts on trim(stated.tournament_id) = starts.tournament_id
        left join {{ corrected_field('ended_on') }} as ends on trim(stated.tournament_id) = ends.tournament_id
    ) as corrected_days
    where code is not null
{%- endmacro %}
