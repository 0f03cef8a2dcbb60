{#
    Replace a table or a view under its own name, with its comments, in one transaction. dbt creates it under another
    name and renames it, for the sake of readers, which takes a fifth of the time of a small build. Readers of this
    project read the published file, never the build.
#}
{% materialization table, adapter='duckdb', supported_languages=['sql', 'python'] %}
    {%- if model.language == 'python' -%}
        {#- dbt runs Python only from the materialization itself. A contract or comments need SQL. -#}
        {%- set existing = load_cached_relation(this) -%}
        {%- do adapter.drop_relation(existing) if existing -%}
        {%- call statement('main', language='python') -%}{{ create_table_as(false, this, compiled_code, 'python') }}{%- endcall -%}
        {{ return({'relations': [this]}) }}
    {%- endif -%}
    {{ return(replaced_relation(this.incorporate(type='table'))) }}
{% endmaterialization %}


{% materialization view, adapter='duckdb' %}
    {{ return(replaced_relation(this.incorporate(type='view'))) }}
{% endmaterialization %}


{% macro replaced_relation(relation) -%}
    {%- set existing = load_cached_relation(relation) -%}
    {{ run_hooks(pre_hooks) }}
    {%- call statement('main') -%}
        begin;
        {{ 'drop ' ~ existing.type ~ ' ' ~ existing ~ ';' if existing }}
        {{ create_table_as(false, relation, sql) if relation.is_table else get_create_view_as_sql(relation, sql) }}
        {{ comments_on(relation, model) }}
        commit;
    {%- endcall -%}
    {{ run_hooks(post_hooks) }}
    {{ return({'relations': [relation]}) }}
{%- endmacro %}


{#
    Write the descriptions of a relation and its columns as comments, in one statement.

    dbt-duckdb would comment on a function as on a view, which fails. dbt also queries the columns twice, only to warn
    of a described column that does not exist. That takes a fifth of the time of a small build; here such a description
    is an error.
#}
{% macro duckdb__persist_docs(relation, model, for_relation, for_columns) -%}
    {%- set comments = comments_on(relation, model) -%}
    {%- do adapter.execute(comments) if comments -%}
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
