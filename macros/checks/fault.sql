{#
    The columns of every check: the faulty row (seed, key, line if known), the column, what was found and expected, how
    to fix it, and where to look for similar values (`seed.column` or `seed.column of tournament`). Without a seed or a
    column, the query has one of that name.

    Only the macros in this folder hold rules about the rows of a collection. Each is a query that returns the faulty
    rows. Three callers run them: dbt as data tests, the check before a refresh, and the importer on its changes. So
    they take relations whose columns are text, plus a column `line`, and those that the callers derive from these
    (`tidy_corrections`, `corrected_names`, `tidy_aliases`). They also take the declarations of the seeds; one that says `is_empty`
    needs no check of its rows, because planning a check takes as long as running it on a few rows. They use only Jinja
    that works without dbt, and SQL that DuckDB and Spark share.
#}
{% macro fault(seed, key, column, found, expected, way_out="''", candidates="''") -%}
    {{ quoted(seed) if seed else 'seed' }} as seed,
    {{ key }} as row_key,
    line,
    {{ quoted(column) if column else 'column_name' }} as column_name,
    {{ found }} as found,
    {{ expected }} as expected,
    {{ way_out }} as way_out,
    {{ candidates }} as candidates
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
