{#
    Write the descriptions of a relation and its columns as comments, in one statement.

    dbt-duckdb would comment on a function as on a view, which fails. dbt also queries the columns twice, only to warn
    of a described column that does not exist. That takes a fifth of the time of a small build; here such a description
    is an error.
#}
{% macro duckdb__persist_docs(relation, model, for_relation, for_columns) -%}
    {%- set kind = 'macro table' if config.get('materialized') == 'table_function' else relation.type -%}
    {%- set comments = [] -%}
    {%- if for_relation and config.persist_relation_docs() and model.description -%}
        {%- do comments.append('comment on ' ~ kind ~ ' ' ~ relation ~ ' is ' ~ duckdb_escape_comment(model.description)) -%}
    {%- endif -%}
    {%- if for_columns and config.persist_column_docs() -%}
        {%- for name, column in model.columns.items() -%}
            {%- do comments.append(
                'comment on column ' ~ relation ~ '.' ~ (adapter.quote(name) if column.quote else name)
                ~ ' is ' ~ duckdb_escape_comment(column.description)
            ) -%}
        {%- endfor -%}
    {%- endif -%}
    {%- if comments -%}
        {%- call statement('comments') -%}{{ comments | join(';\n') }}{%- endcall -%}
    {%- endif -%}
{%- endmacro %}
