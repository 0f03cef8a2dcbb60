{# Tournaments that end before they start or last too long, as documents state them and after corrections. #}
{% macro impossible_days(rows, declared) -%}
    {{ days_out_of_order('raw_tournaments', 'row_key', stated_days(rows)) }}

    union all

    {{ days_out_of_order('ref_corrections', 'decision', corrected_days(rows)) }}
{%- endmacro %}


{# The rule, for a relation with the dates `started_on` and `ended_on`. #}
{% macro days_out_of_order(seed, key, events) -%}
    select
    {{ fault(
        seed, key, 'ended_on', "'started_on `' || cast(started_on as string) || '` and ended_on `' || cast(ended_on as string) || '`' || leaves",
        "case
            when ended_on < started_on then 'the days in order'
            else 'at most " ~ var('longest_event_days') ~ " days from the one to the other'
        end"
    ) }}
    from {{ events }} as events
    where ended_on < started_on or {{ days_between('started_on', 'ended_on') }} > {{ var('longest_event_days') }}
{%- endmacro %}


{# The dates in documents. #}
{% macro stated_days(rows) -%}
    (
        select
            trim(tournament_id) as row_key,
            line,
            try_cast(started_on as date) as started_on,
            try_cast(ended_on as date) as ended_on,
            '' as leaves
        from {{ rows.raw_tournaments }}
    )
{%- endmacro %}


{# The dates of tournaments whose dates are corrected. A fault names the last correction in force. #}
{% macro corrected_days(rows) -%}
    (
        select
            max_by(decided.row_key, decided.number) as decision,
            max_by(decided.line, decided.number) as line,
            coalesce(
                max(case when decided.field = 'started_on' then try_cast(decided.value as date) end),
                max(try_cast(tournaments.started_on as date))
            ) as started_on,
            coalesce(
                max(case when decided.field = 'ended_on' then try_cast(decided.value as date) end),
                max(try_cast(tournaments.ended_on as date))
            ) as ended_on,
            ', as corrections leave ' || decided.tournament_id as leaves
        from {{ rows.tidy_corrections }} as decided
        inner join {{ rows.raw_tournaments }} as tournaments on decided.tournament_id = trim(tournaments.tournament_id)
        where
            decided.is_in_force and decided.player_id = '' and decided.value is not null
            and decided.field in ('started_on', 'ended_on')
        group by decided.tournament_id
    )
{%- endmacro %}


{# Number of days between two dates. #}
{% macro days_between(earlier, later) -%}
    {%- if target.type == 'spark' -%} datediff({{ later }}, {{ earlier }}) {%- else -%} ({{ later }} - {{ earlier }}) {%- endif -%}
{%- endmacro %}
