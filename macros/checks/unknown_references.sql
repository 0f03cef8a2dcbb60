{#
    Cells that refer to a missing row of another seed: one row per value, at its first line. `unknown_kinds` checks the
    kind of a tournament, which can be corrected.
#}
{% macro unknown_references(rows, declared) -%}
    {%- set references = [] -%}
    {%- set known = {} -%}
    {%- for seed, of_seed in declared.items() if not of_seed.is_empty -%}
        {%- for column, meta in of_seed.columns.items() if meta.reference and meta.reference != 'ref_tournament_kinds.kind' -%}
            {%- set upper = 'upper' if meta.text == 'code' else '' -%}
            {%- do references.append([seed, column, meta.reference, upper]) -%}
            {%- do known.update({meta.reference: upper}) -%}
        {%- endfor -%}
    {%- endfor -%}
    {%- if not references %}
    {{ no_faults() }}
    {%- else %}
    select
    {{ fault(
        none, 'row_key', none,
        "column_name || ' `' || cell || '`' || case when occurrences > 1 then ' in ' || cast(occurrences as string) || ' rows, first here' else '' end",
        'expected', candidates='reference'
    ) }}
    from (
        {%- for seed, column, reference, upper in references %}
        select
            '{{ seed }}' as seed,
            '{{ column }}' as column_name,
            '{{ reference }}' as reference,
            'a {{ reference.split('.')[1] }} of {{ reference.split('.')[0] }}' as expected,
            trim({{ column }}) as cell,
            {{ upper }}(trim({{ column }})) as sought,
            count(*) as occurrences,
            min(line) as line,
            min({{ row_key(declared[seed].key) }}) as row_key
        from {{ rows[seed] }}
        where trim({{ column }}) != ''
        group by trim({{ column }})
        {{ 'union all' if not loop.last }}
        {%- endfor %}
    ) as mentioned
    where not exists (
        select 1
        from (
            {%- for reference, upper in known.items() %}
            {%- set seed, column = reference.split('.') %}
            select '{{ reference }}' as reference, {{ upper }}(trim({{ column }})) as cell from {{ rows[seed] }}
            {{ 'union all' if not loop.last }}
            {%- endfor %}
        ) as known
        where known.reference = mentioned.reference and known.cell = mentioned.sought
    )
    {%- endif %}
{%- endmacro %}
