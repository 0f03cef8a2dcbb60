{#
    First and last names that are no person's: characters of no name, letters of two scripts, no letter at all. As documents state them,
    and as corrections leave them. The rules of names are Python's (`names.py`); dbt gets their plain part, by `unfit_cells`.
#}
{% macro unfit_names(rows, declared) -%}
    {%- for seed, of_seed in declared.items() if python_functions is defined and of_seed.columns.last_name and not of_seed.columns.field %}
    select
    {{ fault(seed, row_key(of_seed.key), 'last_name', "'the name `' || trim(first || ' ' || last) || '`'", 'person_fault(first, last)') }}
    from (select *, coalesce(trim(first_name), '') as first, coalesce(trim(last_name), '') as last from {{ rows[seed] }}) as named
    where last != '' and not {{ matches("first || ' ' || last", "[A-Za-z ''.-]*[A-Za-z][A-Za-z ''.-]*") }} and person_fault(first, last) != ''

    union all
    {% endfor -%}
    {%- if python_functions is defined %}
    select
    {{ fault('ref_corrections', 'row_key', 'value', "'the name `' || trim(first || ' ' || last) || '`'", 'expected_name') }}
    from (
        select
            *,
            -- A name with letters, and letters in what was corrected.
            coalesce(nullif(person_fault(first, last), ''), person_fault('', value)) as expected_name
        from {{ corrected_names(rows) }} as corrected
    ) as named
    where expected_name != ''

    union all
    {% endif -%}
    {{ no_faults() }}
{%- endmacro %}
