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


{#
    Spark reads the file of the seed by itself, too: dbt-spark would send the rows as text, in which an empty cell is `None` and
    an apostrophe ends the query. dbt-spark also sets Spark to take a null for what is not of a column's type: here it is an error.
#}
{% macro spark__load_csv_rows(model, agate_table) %}
    {%- set file = model.original_file_path -%}
    {%- set path = (file if file.startswith('/') else model.root_path ~ '/' ~ file) | replace("'", "''") -%}
    {%- set rows = model.alias ~ '_rows' -%}
    {%- set types = config.get('column_types', {}) -%}
    {%- set texts = [] -%}
    {%- set cells = [] -%}
    {%- for column in agate_table.column_names -%}
        {%- set type = types.get(column, 'string') -%}
        {%- set whole = ' and ' ~ column ~ " rlike '^-?[0-9]+$'" if type == 'integer' else '' -%}
        {%- do texts.append(column ~ ' string') -%}
        {%- do cells.append(
            "case when nullif(" ~ column ~ ", '') is null then null when cast(" ~ column ~ ' as ' ~ type ~ ') is not null' ~ whole
            ~ ' then cast(' ~ column ~ ' as ' ~ type ~ ") else raise_error('" ~ path ~ ': found ' ~ column ~ " `' || " ~ column
            ~ " || '`; expected " ~ ('a whole number' if whole else 'a ' ~ type) ~ "') end"
        ) -%}
    {%- endfor -%}
    {%- do adapter.add_query(
        'create or replace temporary view ' ~ rows ~ ' (' ~ texts | join(', ') ~ ") using csv options (path '" ~ path
        ~ "', header 'true', enforceSchema 'false', multiLine 'true', escape '\"', mode 'FAILFAST')"
    ) -%}
    {%- set sql = 'insert into ' ~ this.render() ~ ' select ' ~ cells | join(', ') ~ ' from ' ~ rows -%}
    {%- do adapter.add_query(sql, abridge_sql_log=true) -%}
    {{ return(sql) }}
{%- endmacro %}
