{#
    Loads a seed with COPY, as dbt-duckdb does; an apostrophe in the path of a collection is a part of the path.
#}
{% macro duckdb__load_csv_rows(model, agate_table) -%}
    {%- set path = adapter.get_seed_file_path(model) | replace("'", "''") -%}
    {%- set sql = "copy " ~ this.render() ~ " from '" ~ path ~ "' (format csv, header true, delimiter ',')" -%}
    {%- do adapter.add_query(sql, abridge_sql_log=true) -%}
    {{ return(sql) }}
{%- endmacro %}
