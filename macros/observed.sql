{#
    Where staging reads what documents state: the seed `table`, or the landing form of a bulk collection, the file
    `landing/<table>.parquet` beside the seeds, where there is one. Its presence is the only switch. The importer writes
    it past 100,000 rows, because dbt parses a seed whole before loading it; the seed then has only its header.
#}
{% macro observed(table) -%}
    {#- Called in any case, so that staging depends on the seed. -#}
    {%- set seed = ref(table) -%}
    {%- set landing = "'" ~ (env_var('DPTR_SEEDS', 'seeds') ~ '/landing/' ~ table ~ '.parquet') | replace("'", "''") ~ "'" -%}
    {%- if execute and run_query('select count(*) from glob(' ~ landing ~ ')').columns[0].values()[0] -%}
        read_parquet({{ landing }})
    {%- else -%}
        {{ seed }}
    {%- endif -%}
{%- endmacro %}
