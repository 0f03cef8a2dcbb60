{#
    Omit one step of dbt's own version: writing the SQL of a seed to `target/run/<path of the seed>`. With an absolute
    DPTR_SEEDS, that path is the seed itself, and dbt 1.11 overwrites the collection with SQL. Only the seed
    materialization calls this macro.
#}
{% macro noop_statement(name=none, message=none, code=none, rows_affected=none, res=none) -%}
    {%- set sql = caller() -%}
    {%- if name is not none -%}
        {{ store_raw_result(name, message=message, code=code, rows_affected=rows_affected, agate_table=res) }}
    {%- endif -%}
{%- endmacro %}
