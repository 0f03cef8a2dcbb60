{#
    Load a seed as text with COPY, as dbt-duckdb does, but also from a path with an apostrophe, and without guesses: an
    apostrophe at the beginning of a cell would be taken for a quote, and rows be lost. The test `collection_is_valid` reports
    invalid numbers and dates; staging casts.
#}
{% macro duckdb__load_csv_rows(model, agate_table) -%}
    {%- set path = exact_path(adapter.get_seed_file_path(model)) -%}
    {%- set options = "format csv, auto_detect false, header true, delimiter ',', quote '\"', escape '\"'" -%}
    {%- set sql = "copy " ~ this.render() ~ " from " ~ path ~ " (" ~ options ~ ")" -%}
    {%- do adapter.add_query(sql, abridge_sql_log=true) -%}
    {{ return(sql) }}
{%- endmacro %}
