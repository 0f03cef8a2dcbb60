{#
    First and last names with characters other than plain letters, in documents and after corrections; `corrected` is
    the corrected cell. `names.py` checks them for mixed scripts and for characters that no name has. `unfit_cells`
    reports the characters that no text may contain.
#}
{% macro names_to_check(rows, declared) -%}
    {%- set plain = "[A-Za-z ''.-]*[A-Za-z][A-Za-z ''.-]*" %}
    select *
    from (
        {%- for seed, of_seed in declared.items() if of_seed.columns.last_name and not of_seed.is_empty %}
        select
            '{{ seed }}' as seed,
            {{ row_key(of_seed.key) }} as row_key,
            line,
            'last_name' as column_name,
            coalesce(trim(first_name), '') as first,
            coalesce(trim(last_name), '') as last,
            '' as corrected
        from {{ rows[seed] }}

        union all
        {% endfor %}
        select
            'ref_corrections' as seed,
            row_key,
            line,
            'value' as column_name,
            first,
            last,
            value as corrected
        from {{ rows.corrected_names }} as corrected
    ) as named
    where
        last != ''
        and not (
            {{ matches("first || ' ' || last", plain) }} and (corrected = '' or {{ matches('corrected', plain) }})
        )
        and {{ text_fault('first', none) }} = '' and {{ text_fault('last', none) }} = ''
{%- endmacro %}
