{#
    Cells that refer to a missing row of another seed: one row per value, at its first line. `unknown_kinds` checks the
    kind of a tournament, which can be corrected.
#}
{% macro unknown_references(rows, declared) -%}
    {%- for seed, of_seed in declared.items() -%}
        {%- for column, meta in of_seed.columns.items() if meta.reference and meta.reference != 'ref_tournament_kinds.kind' -%}
            {%- set other, field = meta.reference.split('.') -%}
            {%- set upper = 'upper' if meta.text == 'code' else '' %}
    select
    {{ fault(
        seed, 'row_key', column,
        "'" ~ column ~ " `' || cell || '`' || case when occurrences > 1 then ' in ' || cast(occurrences as string) || ' rows, first here' else '' end",
        quoted('a ' ~ field ~ ' of ' ~ other), candidates=quoted(meta.reference)
    ) }}
    from (
        select
            trim({{ column }}) as cell,
            count(*) as occurrences,
            min(line) as line,
            min({{ row_key(of_seed.key) }}) as row_key
        from {{ rows[seed] }}
        where trim({{ column }}) != ''
        group by trim({{ column }})
    ) as mentioned
    where not exists (
        select 1 from {{ rows[other] }} as known where {{ upper }}(trim(known.{{ field }})) = {{ upper }}(mentioned.cell)
    )

    union all
        {% endfor -%}
    {%- endfor %}
    {{ no_faults() }}
{%- endmacro %}
