{#
    Corrections of an unknown field or an unlisted player, with an impossible value, or without effect.

    The check ignores the document's value: after the decision, the document may have been updated to agree with it.
#}
{% macro faulty_corrections(declared) -%}
    {%- set seed = 'ref_corrections' -%}
    {%- for table, of_player in (('raw_tournaments', false), ('raw_results', true)) -%}
        {%- set about = "(player_id != '') = " ~ of_player -%}
        {%- for column in var('correctable')[table] -%}
            {%- set meta = declared[table].columns[column] %}
    select
    {{ fault(none, seed, 'row_key', column, 'value', further=quoted(table)) }}
    from (
        select
            *,
            {%- if meta.reference %}
                {%- set other, key = meta.reference.split('.') %}
            case when value not in (select upper(trim({{ key }})) from {{ other }} where {{ key }} is not null) then 'unknown' end as code
            {%- else %}
            {{ code_of_cell('value', meta) }} as code
            {%- endif %}
        from tidy_corrections
        where {{ about }} and field = '{{ column }}' and value is not null{{ " and value != 'none'" if meta.or_none }}
    ) as compared
    where code != ''

    union all
        {% endfor %}
    select
    {{ fault('unknown_field', seed, 'row_key', 'field', 'field', further=quoted(table)) }}
    from tidy_corrections
    where {{ about }} and field not in ('{{ (var('correctable')[table] + ['withdrawn']) | join("', '") }}')

    union all
    {% endfor %}
    select
    {{ fault(none, seed, 'row_key', 'value', 'value', 'other', 'field') }}
    from (
        select
            *,
            case
                when field = 'withdrawn' and coalesce(value, '') not in ('true', 'false') then 'unfit_withdrawal'
                when value is not distinct from coalesce(value_before, case field when 'withdrawn' then 'false' end) then 'no_effect'
            end as code,
            line_before as other
        from tidy_corrections
        where field in ('{{ (var('correctable').raw_tournaments + var('correctable').raw_results + ['withdrawn']) | join("', '") }}')
    ) as compared
    where code is not null

    union all

    select
    {{ fault('unlisted_player', seed, 'row_key', 'player_id', 'player_id', further='tournament_id') }}
    from tidy_corrections
    where
        player_id != ''
        and tournament_id in (select trim(known.tournament_id) from raw_tournaments as known)
        and not exists (
            select 1 from raw_results as listed
            where trim(listed.tournament_id) = tidy_corrections.tournament_id and trim(listed.player_id) = tidy_corrections.player_id
        )
{%- endmacro %}
