{#
    Corrections of an unknown field or an unlisted player, with an impossible value, or without effect.

    The check ignores the document's value: after the decision, the document may have been updated to agree with it.
#}
{% macro faulty_corrections(rows, declared) -%}
    {%- set seed = 'ref_corrections' -%}
    {%- set fields_of_any = [] -%}
    {%- for table, of_player in (('raw_tournaments', false), ('raw_results', true)) -%}
        {%- set about = "player_id != ''" if of_player else "player_id = ''" -%}
        {%- set fields = [] -%}
        {%- for column in var('correctable')[table] -%}
            {%- set meta = declared[table].columns[column] -%}
            {%- do fields.append(column) %}
    select
    {{ fault(
        seed, 'row_key', column, "'" ~ column ~ " `' || value || '`'",
        expected_fact(rows, meta),
        candidates=quoted(meta.reference or '')
    ) }}
    from {{ rows.tidy_corrections }} as decided
    where
        {{ about }} and field = '{{ column }}' and value is not null{{ " and value != 'none'" if meta.or_none }}
            {%- if meta.reference %}
                {%- set other, key = meta.reference.split('.') %}
        and not exists (select 1 from {{ rows[other] }} as known where upper(trim(known.{{ key }})) = decided.value)
            {%- else %}
        and not {{ fits('value', meta) }}
            {%- endif %}

    union all
        {% endfor -%}
        {%- do fields.append('withdrawn') -%}
        {%- do fields_of_any.extend(fields) %}
    select
    {{ fault(seed, 'row_key', 'field', "'field `' || field || '`'", quoted('one of ' ~ fields | join(', '))) }}
    from {{ rows.tidy_corrections }} as decided
    where {{ about }} and field not in ('{{ fields | join("', '") }}')

    union all
    {% endfor %}
    select
    {{ fault(seed, 'row_key', 'value', "'withdrawn `' || coalesce(value, '') || '`'", "'`true` or `false`'") }}
    from {{ rows.tidy_corrections }} as decided
    where field = 'withdrawn' and coalesce(value, '') not in ('true', 'false')

    union all

    select
    {{ fault(
        seed, 'row_key', 'player_id', "'player_id `' || player_id || '`'", "'a listed player of ' || tournament_id",
        candidates="'raw_results.player_id of ' || tournament_id"
    ) }}
    from {{ rows.tidy_corrections }} as decided
    where
        player_id != ''
        and exists (select 1 from {{ rows.raw_tournaments }} as known where trim(known.tournament_id) = decided.tournament_id)
        and not exists (
            select 1 from {{ rows.raw_results }} as listed
            where trim(listed.tournament_id) = decided.tournament_id and trim(listed.player_id) = decided.player_id
        )

    union all

    select
    {{ fault(
        seed, 'row_key', 'value',
        "case
            when value is null then 'no correction of ' || field || ' to take back'
            when value = value_before then field || ' `' || value || '` again' || coalesce(', as in line ' || cast(line_before as string), '')
            else 'withdrawn `false` of what was not withdrawn before'
        end",
        "'a decision that changes something'"
    ) }}
    from {{ rows.tidy_corrections }} as decided
    where
        field in ('{{ fields_of_any | join("', '") }}')
        and (value = value_before or coalesce(value, value_before) is null or (field = 'withdrawn' and value = 'false' and value_before is null))
{%- endmacro %}


{# The expected value of a field, as SQL; lists all codes if there are few. #}
{% macro expected_fact(rows, meta) -%}
    {%- if meta.reference == 'ref_tournament_kinds.kind' -%}
        'one of ' || (select string_agg(upper(trim(kind)), ', ' order by kind) from {{ rows.ref_tournament_kinds }})
    {%- elif meta.reference -%}
        {{ quoted('a ' ~ meta.reference.split('.')[1] ~ ' of ' ~ meta.reference.split('.')[0]) }}
    {%- else -%}
        {{ expected_of('value', meta) }}
    {%- endif -%}
    {{ " || ' or `none`'" if meta.or_none }}
{%- endmacro %}
