{#
    Load a seed as text with COPY, as dbt-duckdb does, but also from a path with an apostrophe, and without guesses: an
    apostrophe at the beginning of a cell would be taken for a quote, and rows be lost. The test `cells_are_valid` reports
    invalid numbers and dates; staging casts.
#}
{% macro duckdb__load_csv_rows(model, agate_table) -%}
    {%- set path = exact_path(adapter.get_seed_file_path(model)) -%}
    {%- set options = "format csv, auto_detect false, header true, delimiter ',', quote '\"', escape '\"'" -%}
    {%- set sql = "copy " ~ this.render() ~ " from " ~ path ~ " (" ~ options ~ ")" -%}
    {%- do adapter.add_query(sql, auto_begin=false, abridge_sql_log=true) -%}
    {{ return(sql) }}
{%- endmacro %}


{#
    Spark also reads the seed's file itself. dbt-spark would send the rows as text, where an empty cell becomes `None`
    and an apostrophe ends the query.
#}
{% macro spark__load_csv_rows(model, agate_table) %}
    {%- set file = model.original_file_path -%}
    {%- set path = (file if file.startswith('/') else model.root_path ~ '/' ~ file) | replace("'", "''") -%}
    {%- set rows = model.alias ~ '_rows' -%}
    {%- set texts = agate_table.column_names | join(' string, ') -%}
    {%- do adapter.add_query(
        'create or replace temporary view ' ~ rows ~ ' (' ~ texts ~ " string) using csv options (path '" ~ path
        ~ "', header 'true', enforceSchema 'false', multiLine 'true', escape '\"', mode 'FAILFAST')"
    ) -%}
    {%- set sql = 'insert into ' ~ this.render() ~ " select nullif(" ~ agate_table.column_names | join(", ''), nullif(") ~ ", '') from " ~ rows -%}
    {%- do adapter.add_query(sql, abridge_sql_log=true) -%}
    {{ return(sql) }}
{%- endmacro %}


{#
    Omit one step of dbt's own version: writing the SQL of a seed to `target/run/<path of the seed>`. With an absolute
    DPTR_SEEDS, that path is the seed itself, and dbt 1.11 overwrites the collection with SQL. Only the seed
    materialization calls this macro.
#}
{% macro noop_statement(name=none, message=none, code=none, rows_affected=none, res=none) -%}
    {%- set sql = caller() -%}
    {{ store_raw_result(name, message=message, code=code, rows_affected=rows_affected, agate_table=res) }}
{%- endmacro %}
