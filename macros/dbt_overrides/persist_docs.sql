{#
    Write the descriptions of a relation and its columns as comments, in one statement.

    dbt-duckdb would comment on a function as on a view, which fails. dbt also queries the columns twice, only to warn
    of a described column that does not exist. That takes a fifth of the time of a small build; here such a description
    is an error.
#}
{% macro duckdb__persist_docs(relation, model, for_relation, for_columns) -%}
    {%- set comments = comments_on(relation, model) -%}
    {%- if comments -%}
        {%- call statement('comments') -%}{{ comments }}{%- endcall -%}
    {%- endif -%}
{%- endmacro %}


{# The statements that write the descriptions that a model persists; empty if none. #}
{% macro comments_on(relation, model) -%}
    {%- set kind = 'macro table' if config.get('materialized') == 'table_function' else relation.type -%}
    {%- if config.persist_relation_docs() and model.description -%}
        comment on {{ kind }} {{ relation }} is {{ duckdb_escape_comment(model.description) }};
    {%- endif -%}
    {%- if config.persist_column_docs() -%}
        {%- for name, column in model.columns.items() %}
        comment on column {{ relation }}.{{ adapter.quote(name) if column.quote else name }} is {{ duckdb_escape_comment(column.description) }};
        {%- endfor -%}
    {%- endif -%}
{%- endmacro %}
