{#
    Corrections of an unknown field or an unlisted player, with an impossible value, or without effect.

    The check ignores the document's value: after the decision, the document may have been updated to agree with it.
#}
{% macro faulty_corrections(declared) -%}
    {%- set seed = 'ref_corrections' -%}
    {%- set checks = {} -%}
    {%- set known = [] -%}
    {%- for table, columns in var('correctable').items() -%}
        {%- for column in columns -%}
            {%- set meta = declared[table].columns[column] -%}
            {%- set check -%}
                {%- if meta.reference -%}
                    {%- set other, key = meta.reference.split('.') -%}
                    case when value not in (select upper(trim({{ key }})) from {{ other }} where {{ key }} is not null) then 'unknown' end
                {%- else -%}
                    {{ code_of_cell('value', meta) }}
                {%- endif -%}
            {%- endset -%}
            {%- set check = "case when value != 'none' then " ~ check ~ ' end' if meta.or_none else check -%}
            {%- do checks.setdefault(check, []).append(table ~ '.' ~ column) -%}
        {%- endfor -%}
        {%- do known.append(table ~ '.withdrawn') -%}
    {%- endfor %}
    {%- set known = known + (checks.values() | sum(start=[])) %}
    select
        {{ code_by('corrected', checks) }} as code,
    {{ fault(none, seed, 'row_key', none, 'value', further='about') }}
    from (select *, field as column_name from tidy_corrections) as corrections
    where value is not null and code != ''

    union all

    select
    {{ fault('unknown_field', seed, 'row_key', 'field', 'field', further='about') }}
    from tidy_corrections
    where corrected not in ('{{ known | join("', '") }}')

    union all

    select
        case
            when field = 'withdrawn' and coalesce(value, '') not in ('true', 'false') then 'unfit_withdrawal'
            when value is not distinct from coalesce(value_before, case field when 'withdrawn' then 'false' end) then 'no_effect'
        end as code,
    {{ fault(none, seed, 'row_key', 'value', 'value', 'line_before', 'field') }}
    from tidy_corrections
    where corrected in ('{{ known | join("', '") }}') and code is not null

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
