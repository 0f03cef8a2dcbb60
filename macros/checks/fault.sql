{#
    The columns of every check: the row that offends (seed, key, line where there is one), the column, what was found, what was
    expected, the way out, and where to look for what was meant (`seed.column`, or `seed.column of tournament`).

    The macros of this folder are the only place of rules about the rows of a collection. Each is a query that returns the offending rows.
    Three callers run them: dbt as data tests, the check before a refresh, and the importer on what it changes. So they take
    relations whose columns are text, with a column `line`, and use what dbt's Jinja shares with plain Jinja, and DuckDB with Spark.
#}
{% macro fault(seed, key, column, found, expected, way_out="''", candidates="''") -%}
    '{{ seed }}' as seed,
    {{ key }} as row_key,
    line,
    '{{ column }}' as column_name,
    {{ found }} as found,
    {{ expected }} as expected,
    {{ way_out }} as way_out,
    {{ candidates }} as candidates
{%- endmacro %}


{# A text of SQL. #}
{% macro quoted(text) -%}
    '{{ text | string | replace("'", "''") }}'
{%- endmacro %}


{# A cell without blanks around it; an empty one is null. #}
{% macro cell(column) -%}
    nullif(trim({{ column }}), '')
{%- endmacro %}


{# The key of a row as one text. #}
{% macro row_key(columns, table='') -%}
    {%- for column in columns -%}
        {{ " || ' ' || " if not loop.first }}coalesce(trim({{ table }}{{ column }}), '')
    {%- endfor -%}
{%- endmacro %}
