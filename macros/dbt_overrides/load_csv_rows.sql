{#
    Loads a seed with COPY, as dbt-duckdb does, and in two ways better: an apostrophe in the path of a collection is a
    part of the path, and a cell of a whole number must be one (COPY would round a placement of 5.9 to 6).
#}
{% macro duckdb__load_csv_rows(model, agate_table) -%}
    {%- set path = adapter.get_seed_file_path(model) | replace("'", "''") -%}
    {%- set checks = [] -%}
    {%- for column, type in config.get('column_types', {}).items() if type == 'integer' -%}
        {%- do checks.append(
            "select '" ~ column ~ "' as column_name, " ~ column ~ " as cell from cells where not regexp_full_match("
            ~ column ~ ", '-?[0-9]+')"
        ) -%}
    {%- endfor -%}
    {%- if checks -%}
        {%- set faults = run_query(
            "with cells as (select * from read_csv('" ~ path ~ "', header = true, delim = ',', all_varchar = true)) "
            ~ checks | join(' union all ') ~ ' limit 1'
        ) -%}
        {%- if faults.rows -%}
            {%- do exceptions.raise_compiler_error(
                model.original_file_path ~ ': found ' ~ faults.rows[0][0] ~ ' `' ~ faults.rows[0][1]
                ~ '`; expected a whole number'
            ) -%}
        {%- endif -%}
    {%- endif -%}
    {%- set sql = "copy " ~ this.render() ~ " from '" ~ path ~ "' (format csv, header true, delimiter ',')" -%}
    {%- do adapter.add_query(sql, abridge_sql_log=true) -%}
    {{ return(sql) }}
{%- endmacro %}
