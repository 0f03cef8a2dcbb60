{#
    The source of a staging model: the seed or, in a large collection, a Parquet file of the same name beside it, or a
    folder of Parquet files of that name. The presence of the file is the only switch. The importer writes Parquet above
    100,000 rows, because dbt parses a seed whole before loading it; the seed then has only its header. Rows in both are
    refused: those of the seed would be lost.
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
        {%- if load_relation(seed) and run_query('select 1 from ' ~ seed ~ ' limit 1') | length -%}
            {%- do exceptions.raise_compiler_error(
                folder ~ '/' ~ seed_name ~ ': found rows as CSV and as Parquet; expected them in one of both'
            ) -%}
        {%- endif -%}
        {{ read_parquet(folder ~ '/' ~ name) }}
    {%- else -%}
        {{ seed }}
    {%- endif -%}
{%- endmacro %}
