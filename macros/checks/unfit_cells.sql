{# Empty cells in required columns, and cells that break the declaration of their column. #}
{% macro unfit_cells(seed, rows, declared) -%}
    {%- set key = row_key(declared.key) -%}
    {%- for column, meta in declared.columns.items() -%}
        {%- if meta.required %}
    select
    {{ fault(seed, key, column, quoted('no ' ~ column), "'one in every row'") }}
    from {{ rows }}
    where coalesce(trim({{ column }}), '') = ''

    union all
        {% endif -%}
        {%- if meta.type or meta.accepted or meta.text in ('plain', 'person', 'id', 'sha256') %}
    select
    {{ fault(seed, key, column, "'" ~ column ~ " `' || " ~ column ~ " || '`'", expected_of(column, meta)) }}
    from {{ rows }}
    where {{ column }} != '' and not {{ fits(column, meta) }}

    union all
        {% endif -%}
    {%- endfor %}
    {{ no_faults() }}
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
