{#
    The source of a staging model: the seed or, in a large collection, a Parquet file of the same name beside it, or a
    folder of Parquet files of that name. The presence of the file is the only switch. The importer writes Parquet above
    100,000 rows, because dbt parses a seed whole before loading it; the seed then has only its header.
#}
{% macro raw_rows(seed_name) -%}
    {#- Call `ref` unconditionally, so that staging depends on the seed. -#}
    {{ rows_of_seed(seed_name, ref(seed_name)) }}
{%- endmacro %}


{# The same for a seed that the caller has resolved. Decisions and rules are never Parquet. #}
{% macro rows_of_seed(seed_name, seed) -%}
    {%- set folder = env_var('DPTR_SEEDS', 'seeds') ~ '/wdd' -%}
    {%- set name = seed_name ~ '.parquet' -%}
    {%- if execute and seed_name.startswith('raw_') and run_query(count_parquet(folder, name)).columns[0].values()[0] -%}
        {{ read_parquet(folder ~ '/' ~ name) }}
    {%- else -%}
        {{ seed }}
    {%- endif -%}
{%- endmacro %}


{# Number of Parquet files with that name in the folder, or in a subfolder of that name. #}
{% macro count_parquet(folder, name) -%}
    {{ adapter.dispatch('count_parquet')(folder, name) }}
{%- endmacro %}

{% macro duckdb__count_parquet(folder, name) -%}
    {%- set path = (folder ~ '/' ~ name) | replace("'", "''") -%}
    select count(*) from (from glob('{{ path }}') union all from glob('{{ path }}/*.parquet'))
{%- endmacro %}

{# Spark lists the files without reading their content. The folder exists, because it has the seed. #}
{% macro spark__count_parquet(folder, name) -%}
    select count(*)
    from binaryFile.`{{ folder | replace('`', '``') }}` with (recursiveFileLookup = 'true')
    where path like '%/{{ name }}' or path like '%/{{ name }}/%.parquet'
{%- endmacro %}


{# The rows of a Parquet file, or of all files in a folder. #}
{% macro read_parquet(path) -%}
    {{ adapter.dispatch('read_parquet')(path) }}
{%- endmacro %}

{% macro duckdb__read_parquet(path) -%}
    read_parquet('{{ path | replace("'", "''") }}')
{%- endmacro %}

{% macro spark__read_parquet(path) -%}
    parquet.`{{ path | replace('`', '``') }}`
{%- endmacro %}
