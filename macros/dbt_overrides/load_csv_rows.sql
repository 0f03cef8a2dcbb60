{#
    Loads a seed as text with COPY, as dbt-duckdb does; here an apostrophe in the path of a collection is a part of the path. The test
    `seed_is_valid` says what is no number or no day, and staging casts.
#}
{% macro duckdb__load_csv_rows(model, agate_table) -%}
    {%- set path = adapter.get_seed_file_path(model) | replace("'", "''") -%}
    {%- set sql = "copy " ~ this.render() ~ " from '" ~ path ~ "' (format csv, header true, delimiter ',')" -%}
    {%- do adapter.add_query(sql, abridge_sql_log=true) -%}
    {{ return(sql) }}
{%- endmacro %}


{#
    Spark reads the file of the seed by itself, too: dbt-spark would send the rows as text, in which an empty cell is `None` and
    an apostrophe ends the query.
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
