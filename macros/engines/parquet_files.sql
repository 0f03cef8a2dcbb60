{# Number of Parquet files with that name in the folder, or in a subfolder of that name. #}
{% macro count_parquet(folder, name) -%}
    {{ adapter.dispatch('count_parquet')(folder, name) }}
{%- endmacro %}

{% macro duckdb__count_parquet(folder, name) -%}
    {%- set path = exact_path(folder ~ '/' ~ name) -%}
    select count(*) from (from glob({{ path }}) union all from glob({{ path }} || '/*.parquet'))
{%- endmacro %}

{# Spark lists the files without reading their content. The folder exists, because it has the seed. #}
{% macro spark__count_parquet(folder, name) -%}
    select count(*)
    from binaryFile.`{{ folder | replace('`', '``') }}` with (recursiveFileLookup = 'true')
    where path like '%/{{ name }}' or path like '%/{{ name }}/%.parquet'
{%- endmacro %}


{# A path as a literal of SQL. DuckDB takes * ? [ in a path to read for a pattern of paths. #}
{% macro exact_path(path) -%}
    '{{ path | replace("'", "''") | replace("[", "[[]") | replace("*", "[*]") | replace("?", "[?]") }}'
{%- endmacro %}


{# The rows of a Parquet file, or of all files in a folder. #}
{% macro read_parquet(path) -%}
    {{ adapter.dispatch('read_parquet')(path) }}
{%- endmacro %}

{% macro duckdb__read_parquet(path) -%}
    read_parquet({{ exact_path(path) }})
{%- endmacro %}

{% macro spark__read_parquet(path) -%}
    parquet.`{{ path | replace('`', '``') }}`
{%- endmacro %}
