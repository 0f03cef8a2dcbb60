{#
    Empty cells in required columns, and cells that break the declaration of their column. Every cell becomes a row, so
    that one pass over the seed checks all columns.
#}
{% macro unfit_cells(seed, declared) -%}
    {%- set required = [] -%}
    {%- set checks = {} -%}
    {%- for column, meta in declared.columns.items() -%}
        {%- do required.append(column) if meta.required -%}
        {%- set code = code_of_cell('cell', meta) -%}
        {%- do checks.setdefault(code, []).append(column) if code -%}
    {%- endfor %}
    {%- set columns = (required + checks.values() | sum(start=[])) | unique | list %}
    select
        case
            when coalesce(trim(cell), '') != '' then {{ code_by('column_name', checks) }}
            when column_name in ('{{ required | join("', '") }}') then 'empty'
        end as code,
    {{ fault(none, seed, row_key(declared.key), none, 'cell') }}
    from (
        select
            *,
            unnest(['{{ columns | join("', '") }}']) as column_name,
            unnest([{{ columns | join(', ') }}]) as cell
        from {{ seed }}
    ) as cells
    where code != ''
{%- endmacro %}


{# The code of the check that applies to the value in a column; `checks` has the values for each check. #}
{% macro code_by(column, checks) -%}
    case
        when false then ''
        {%- for check, values in checks.items() %}
        when {{ column }} in ('{{ values | join("', '") }}') then {{ check }}
        {%- endfor %}
    end
{%- endmacro %}
