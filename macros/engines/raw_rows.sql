{#
    The source of a staging model: the seed or, in a large collection, a Parquet file of the same name beside it, or a
    folder of Parquet files of that name. The presence of the file is the only switch. The importer writes Parquet above
    100,000 rows, because dbt parses a seed whole before loading it; the seed then has only its header. Rows in both are
    refused: those of the seed would be lost.
#}
{% macro raw_rows(seed_name) -%}
    {#- Call `ref` unconditionally, so that staging depends on the seed. Decisions and rules are never Parquet. -#}
    {%- set seed = ref(seed_name) -%}
    {%- set folder = env_var('DPTR_SEEDS', 'seeds') ~ '/documents' -%}
    {%- set name = seed_name ~ '.parquet' -%}
    {%- set files = adapter.dispatch('count_parquet')(folder, name) -%}
    {%- if execute and seed_name.startswith('raw_') and run_query(files).columns[0].values()[0] -%}
        {%- if load_relation(seed) and run_query('select 1 from ' ~ seed ~ ' limit 1') | length -%}
            {%- do exceptions.raise_compiler_error(
                folder ~ '/' ~ seed_name ~ ': found rows as CSV and as Parquet; expected them in one of both'
            ) -%}
        {%- endif -%}
        {{ adapter.dispatch('read_parquet')(folder ~ '/' ~ name) }}
    {%- else -%}
        {{ seed }}
    {%- endif -%}
{%- endmacro %}


{# Number of Parquet files with that name in the folder, or in a subfolder of that name. #}
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
{% macro duckdb__read_parquet(path) -%}
    read_parquet({{ exact_path(path) }})
{%- endmacro %}

{% macro spark__read_parquet(path) -%}
    parquet.`{{ path | replace('`', '``') }}`
{%- endmacro %}
