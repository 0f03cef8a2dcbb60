{#
    The columns of every check: a code, the faulty row (seed, key, line if known), the column, its value, and up to two
    further values that belong to the fault. `scripts/dippouch/seeds/faults.py` has the message of each code. Without a
    code, the query gives one before the macro; without a seed or a column, its rows have one of that name.

    The macros in this folder hold all rules about the rows of a collection. Each is a query in DuckDB's SQL that
    returns the faulty rows. `collection_faults` combines them for dbt, for the check before a refresh and for the
    importer. They read relations with the names of the seeds, whose columns are text, plus a column `line`. They use
    only Jinja that works without dbt.
#}
{% macro fault(code, seed, key, column, value, other="''", further="''") -%}
    {{ quoted(code) ~ ' as code,' if code }}
    {{ quoted(seed) if seed else 'seed' }} as seed,
    {{ key }} as row_key,
    line,
    {{ quoted(column) if column else 'column_name' }} as column_name,
    cast({{ value }} as varchar) as value,
    cast({{ other }} as varchar) as other,
    cast({{ further }} as varchar) as further
{%- endmacro %}


{# A SQL string literal. #}
{% macro quoted(text) -%}
    '{{ text | string | replace("'", "''") }}'
{%- endmacro %}


{# A cell without surrounding blanks; null if empty. #}
{% macro cell(column) -%}
    nullif(trim({{ column }}), '')
{%- endmacro %}


{# The key of a row as one text. #}
{% macro row_key(columns, table='') -%}
    {%- for column in columns -%}
        {{ " || ' ' || " if not loop.first }}coalesce(trim({{ table }}{{ column }}), '')
    {%- endfor -%}
{%- endmacro %}
