{#
    Where staging reads what documents state: the seed, or, in a bulk collection, the Parquet file of the same name beside
    it, where there is one. Its presence is the only switch. The importer writes it past 100,000 rows, because dbt parses a
    seed whole before loading it; the seed then has only its header.
#}
{% macro raw_rows(seed_name) -%}
    {#- Called in any case, so that staging depends on the seed. -#}
    {%- set seed = ref(seed_name) -%}
    {%- set path = env_var('DPTR_SEEDS', 'seeds') ~ '/wdd/' ~ seed_name ~ '.parquet' -%}
    {%- set parquet = "'" ~ path | replace("'", "''") ~ "'" -%}
    {%- if execute and run_query('select count(*) from glob(' ~ parquet ~ ')').columns[0].values()[0] -%}
        read_parquet({{ parquet }})
    {%- else -%}
        {{ seed }}
    {%- endif -%}
{%- endmacro %}
