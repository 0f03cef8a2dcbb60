{#
    Faults of the cells, keys and references of seeds: every cell is joined to the declaration of its column in
    models/seeds. `declared` has for every seed its `key`, and by name the `meta` of its `columns`; `relations` has the
    relation of its rows, whose columns are text. The columns of the result are those of `fault`. `model_checks` has the
    other rules: they query models, which need valid cells.
#}
{% macro cell_faults(declared, relations) -%}
    {%- set columns = [] -%}
    {%- for seed, declaration in declared.items() -%}
        {%- for column, meta in declaration.columns.items() if not meta.checked_by -%}
            {%- do columns.append((seed, column, meta)) -%}
        {%- endfor -%}
    {%- endfor %}
    with declared_columns (
        declared_in, column_name, is_required, type, least, most, accepted, text, longest, or_none, reference, in_document
    ) as (
        values
        {%- for seed, column, meta in columns %}
            {%- set other = declared[(meta.reference or seed).split('.')[0]] %}
        (
            '{{ seed }}', '{{ column }}', {{ meta.required or false }}, {{ text_or_null(meta.type) }},
            {{ text_or_null(meta.from) }}, {{ text_or_null(meta.to) }}, {{ meta.accepted or 'null' }},
            {{ text_or_null(meta.text) }}, {{ meta.longest or 10000 }}, {{ meta.or_none or false }},
            {{ text_or_null(meta.reference) }}, {{ 'document_id' in declared[seed].columns and 'document_id' in other.columns }}
        ){{ ',' if not loop.last }}
        {%- endfor %}
    ),

    cells as not materialized (
        {%- for seed, declaration in declared.items() %}
        select
            '{{ seed }}' as seed,
            '{{ seed }}' as declared_in,
            {{ key_of(declaration, ' ') }} as row_key,
            {{ 'trim(document_id)' if 'document_id' in declaration.columns else 'null' }} as document_id,
            unnest(['{{ declaration.columns | join("', '") }}']) as column_name,
            unnest([{{ declaration.columns | join(', ') }}]) as cell
        from {{ relations[seed] }}

        union all
        {%- endfor %}

        -- A correction is a cell of the corrected column, or `none`.
        select
            'ref_corrections' as seed,
            case when coalesce(trim(player_id), '') = '' then 'raw_tournaments' else 'raw_results' end as declared_in,
            trim(correction_number) as row_key,
            null as document_id,
            trim(field) as column_name,
            value as cell
        from {{ relations['ref_corrections'] }}
    ),

    -- Kept as a table, every cell with its declaration would take too much memory.
    declared_cells as not materialized (
        select
            *,
            coalesce(trim(cell), '') as value,
            -- Codes are case-insensitive.
            case when text = 'code' then upper(value) else value end as same_value,
            case when seed = declared_in then '' else declared_in end as further
        from cells
        inner join declared_columns using (declared_in, column_name)
    ),

    known as (
        select distinct
            seed || '.' || column_name as reference,
            same_value,
            -- A statement refers to rows of its own document, a decision to those of any.
            unnest([document_id, '']) as document_id
        from declared_cells
        where seed || '.' || column_name in (select reference from declared_columns)
    ),

    fitting_cells as (
        select
            declared_cells.*,
            known.reference is not null or (or_none and upper(value) = 'NONE') as is_known,
            case
                when value = '' then further != '' or not is_required
                when or_none and value = 'none' and (further != '' or type is null) then true
                when type in ('integer', 'decimal(9,2)', 'double')
                    then
                        try_cast(value as double) between cast(least as double) and cast(most as double)
                        and case type
                            when 'integer' then regexp_full_match(value, '-?[0-9]{1,10}')
                            when 'decimal(9,2)' then regexp_full_match(value, '-?[0-9]{1,7}([.][0-9]{1,2})?')
                            else regexp_full_match(value, '-?[0-9]+([.][0-9]+)?([eE][+-]?[0-9]{1,2})?')
                        end
                when type = 'date'
                    then
                        regexp_full_match(cell, '[0-9]{4}-[0-9]{2}-[0-9]{2}')
                        and try_cast(cell as date) is not null
                        and cell between least and most
                when type = 'boolean' then lower(value) in ('true', 'false')
                when accepted is not null then list_contains(accepted, value)
                when text = 'sha256' then regexp_full_match(cell, '[0-9a-f]{64}')
                when text = 'id'
                    then
                        regexp_full_match(value, '{{ var('ids').pattern }}')
                        and not regexp_full_match(value, '{{ var('ids').reserved }}')
                        and length(value) <= {{ var('ids').longest }}
            end as fits
        from declared_cells
        left join known
            on
                declared_cells.reference = known.reference
                and declared_cells.same_value = known.same_value
                and known.document_id = case when in_document then declared_cells.document_id else '' end
    ),

    faulty_cells as (
        select
            case
                when fits and (value = '' or reference is null or is_known) then null
                when value = '' then 'empty'
                when not coalesce(fits, type is null) then 'unfit'
                -- The row of a reference is checked, not its text.
                when reference is not null then case when not is_known then 'unknown' end
                -- A correction to `none` removes a code.
                when text = 'code' and upper(value) = 'NONE' then 'reserved'
                -- Fast path: almost every text, and a score below zero.
                when
                    regexp_full_match(value, '-?[0-9]+([.,][0-9]+)?|[A-Za-z0-9][A-Za-z0-9 .,_:()/-]*') and length(value) <= longest
                    then null
                when length(value) > longest then 'too_long'
                -- Control and private-use characters, and blank or invisible ones.
                when
                    not regexp_full_match(
                        value,
                        '[^\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}\x{034F}\x{115F}\x{1160}\x{17B4}\x{17B5}\x{180B}-\x{180F}\x{2800}'
                        || '\x{3164}\x{FFA0}\x{FFFD}\x{E0100}-\x{E01EF}]*'
                    )
                    then 'invisible'
                -- A spreadsheet would run it, even one that splits rows at semicolons.
                when regexp_full_match(value, '(.*; *)?[=+@＝＋－＠-].*') then 'formula'
            end as code,
            seed,
            row_key,
            column_name,
            case when reference is null then cell else value end as value,
            further
        from fitting_cells
        where code is not null
    )

    -- All cells that refer to one missing row are one fault.
    select
        code,
        seed,
        min(row_key) as row_key,
        column_name,
        value,
        case when code = 'unknown' then cast(count(*) as varchar) else '' end as other,
        further
    from faulty_cells
    group by code, seed, column_name, value, further, case when code != 'unknown' then row_key end

    union all

    -- Two rows of a seed with one key.
    select
        'repeated' as code,
        seed,
        min(row_key) as row_key,
        column_name,
        value,
        cast(count(*) as varchar) as other,
        '' as further
    from (
        {%- for seed, declaration in declared.items() %}
        select
            '{{ seed }}' as seed,
            '{{ declaration.key | join(", ") }}' as column_name,
            {{ key_of(declaration, ' ') }} as row_key,
            {{ key_of(declaration, ', ', same_codes=true) }} as value
        from {{ relations[seed] }}
        {{ 'union all' if not loop.last }}
        {%- endfor %}
    ) as keys
    where trim(row_key) != ''
    group by seed, column_name, value
    having count(*) > 1
{%- endmacro %}


{# A SQL string, or null. #}
{% macro text_or_null(value) -%}
    {{ 'null' if value is not defined or value is none else "'" ~ value ~ "'" }}
{%- endmacro %}


{# The key of a seed's rows as one text. #}
{% macro key_of(declaration, separator, same_codes=false) -%}
    {%- for column in declaration.key -%}
        {%- set function = 'upper' if same_codes and declaration.columns[column].text == 'code' else '' -%}
        {{ " || '" ~ separator ~ "' || " if not loop.first }}{{ function }}(coalesce(trim({{ column }}), ''))
    {%- endfor -%}
{%- endmacro %}
