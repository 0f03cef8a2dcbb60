{#
    Empty cells in required columns, and cells that break the declaration of their column. Every cell becomes a row, so
    that one pass over the seed checks all columns.
#}
{% macro unfit_cells(seed, rows, declared) -%}
    {%- set required = [] -%}
    {%- set checked = {} -%}
    {%- for column, meta in declared.columns.items() -%}
        {%- do required.append(column) if meta.required -%}
        {%- set check = fault_of_cell(meta) -%}
        {%- do checked.setdefault(check, []).append(column) if check -%}
    {%- endfor %}
    select
    {{ fault(seed, row_key(declared.key), none, "'no ' || column_name", "'one in every row'") }}
    from {{ cells(rows, declared, required) }} as stated
    where coalesce(trim(cell), '') = ''
    {%- if checked %}

    union all

    select
    {{ fault(seed, row_key(declared.key), none, "column_name || ' `' || cell || '`'", 'expected') }}
    from (
        select
            *,
            {{ check_by('column_name', checked) }} as expected
        from {{ cells(rows, declared, checked.values() | sum(start=[])) }} as stated
        where cell != ''
    ) as compared
    where expected != ''
    {%- endif %}
{%- endmacro %}


{# The check that applies to the value in a column; `checks` has the values for each check. #}
{% macro check_by(column, checks) -%}
    case
        {%- for check, values in checks.items() %}
        when {{ column }} in ('{{ values | join("', '") }}') then {{ check }}
        {%- endfor %}
    end
{%- endmacro %}


{# The expected content of a `cell` that breaks the declaration of its column, else an empty text; nothing without a rule. #}
{% macro fault_of_cell(declared) -%}
    {%- if declared.text in ('plain', 'person') -%}
        {{ text_fault('cell', 'longest') }}
    {%- elif declared.type or declared.accepted or declared.text in ('id', 'sha256') -%}
        case when {{ fits('cell', declared) }} then '' else {{ expected_of('cell', declared) }} end
    {%- endif -%}
{%- endmacro %}


{# The cells of some columns: each a row with the column's name and maximum length, and with all cells of its row. #}
{% macro cells(rows, declared, columns) -%}
    {%- set longest = [] -%}
    {%- for column in columns -%}
        {%- do longest.append(declared.columns[column].longest or 10000) -%}
    {%- endfor %}
    (
        select
            *,
            {%- if target.type == 'spark' %}
            stack(
                {{ columns | length }}{% for column in columns %}, '{{ column }}', {{ longest[loop.index0] }}, {{ column }}{% endfor %}
            ) as (column_name, longest, cell)
            {%- else %}
            unnest(['{{ columns | join("', '") }}']) as column_name,
            unnest([{{ longest | join(', ') }}]) as longest,
            unnest([{{ columns | join(', ') }}]) as cell
            {%- endif %}
        from {{ rows }}
    )
{%- endmacro %}


{# No rows, with the columns of a check. #}
{% macro no_faults() -%}
    select
        '' as seed,
        '' as row_key,
        cast(null as bigint) as line,
        '' as column_name,
        '' as found,
        '' as expected,
        '' as way_out,
        '' as candidates
    where false
{%- endmacro %}
