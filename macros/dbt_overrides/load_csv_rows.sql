{#
    Load a seed as text with COPY, as dbt-duckdb does, but also from a path with an apostrophe. The test `collection_is_valid`
    reports invalid numbers and dates; staging casts.
#}
{% macro duckdb__load_csv_rows(model, agate_table) -%}
    {%- set path = adapter.get_seed_file_path(model) | replace("'", "''") -%}
    {%- set sql = "copy " ~ this.render() ~ " from '" ~ path ~ "' (format csv, header true, delimiter ',')" -%}
    {%- do adapter.add_query(sql, abridge_sql_log=true) -%}
    {{ return(sql) }}
{%- endmacro %}
