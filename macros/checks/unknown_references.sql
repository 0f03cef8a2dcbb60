{#
    Cells that refer to a missing row of another seed: one row per value, at its first line. Codes are case-insensitive.
    `unknown_kinds` checks the kind of a tournament, which can be corrected.
#}
{% macro unknown_references(seed, declared) -%}
    {%- for column, meta in declared.columns.items() if meta.reference and meta.reference != 'ref_tournament_kinds.kind' %}
        {%- set other, key = meta.reference.split('.') %}
    select
    {{ fault('unknown', seed, 'row_key', column, 'cell', 'occurrences') }}
    from (
        select
            trim({{ column }}) as cell,
            min({{ row_key(declared.key) }}) as row_key,
            min(line) as line,
            count(*) as occurrences
        from {{ seed }}
        where trim({{ column }}) != ''
        group by trim({{ column }})
    ) as stated
    where {{ same_code('cell', meta) }} not in (select {{ same_code(key, meta) }} from {{ other }} where {{ key }} is not null)

    union all
    {% endfor %}
{%- endmacro %}


{# A cell to compare with others: codes in capitals. #}
{% macro same_code(column, declared) -%}
    {{ 'upper' if declared.text == 'code' }}(trim({{ column }}))
{%- endmacro %}


{# Tournaments of a kind that the collection does not have, unless a correction replaces it. #}
{% macro unknown_kinds(declared) -%}
    select
    {{ fault('unknown_kind', 'raw_tournaments', 'trim(tournament_id)', 'kind', 'trim(kind)') }}
    from raw_tournaments as stated
    where
        trim(kind) != ''
        and upper(trim(kind)) not in (select upper(trim(known.kind)) from ref_tournament_kinds as known where known.kind is not null)
        and trim(tournament_id) not in (select decided.tournament_id from {{ corrected_field('kind') }} as decided)
{%- endmacro %}
