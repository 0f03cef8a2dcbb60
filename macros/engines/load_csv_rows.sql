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
