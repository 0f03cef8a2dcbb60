{#
    One view per mart, under its plain name, in the default schema (`main`), for queries by hand: the mart under the default
    rating system, with its comments. A function answers under its plain name, too.

    dbt calls the macro at the end of a run, for the marts built in it. Tables are named without the database, because
    the views are copied into the published file, which readers attach under any name. Spark's tables have no readers.
#}
{% macro plain_name_views(results) -%}
    {%- set stored = adapter.get_relation(target.database, 'marts', 'settings') if execute and target.type == 'duckdb' -%}
    {%- set built = results | selectattr('status', 'equalto', 'success') | map(attribute='node') | selectattr('schema', 'equalto', 'marts') -%}
    {#- A transaction keeps a view and its comments together. It also avoids a disk write per statement. -#}
    {{ 'begin;' if stored }}
    {%- for mart in built if stored -%}
        {%- set plain = target.schema ~ '.' ~ mart.name -%}
        {%- if mart.config.materialized == 'table_function' %}
            create or replace function {{ plain }}({{ mart.config.parameters | join(', ') }}) as table
            from marts.{{ mart.name }}({{ same_arguments(mart.config.parameters) }});
        {%- else -%}
            {#- The rows of these are themselves collections and rating systems. -#}
            {%- set of_systems = 'rating_system_id' in mart.columns and mart.name not in ('settings', 'rating_systems') %}
            create or replace view {{ plain }} as
            {% if of_systems %}
                select * exclude (rating_system_id) from marts.{{ mart.name }}
                where rating_system_id = (select settings.rating_system_id from marts.settings as settings);
            {% else %}
                from marts.{{ mart.name }};
            {% endif %}
            comment on view {{ plain }} is {{ duckdb_escape_comment(
                mart.description ~ (' The view has only the default rating system.' if of_systems else '')
            ) }};
            {% for column in mart.columns.values() if column.name != 'rating_system_id' or not of_systems %}
                comment on column {{ plain }}.{{ column.name }} is {{ duckdb_escape_comment(column.description) }};
            {% endfor %}
        {%- endif -%}
    {%- endfor -%}
    {{ 'commit;' if stored }}
{%- endmacro %}
