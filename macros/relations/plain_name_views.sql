{#
    One view per mart, under its name, in the default schema (`main`), for queries by hand. A view has the columns of
    its mart, names beside ids, and only the rows of the default rating system. It carries the comments of the mart and
    its columns.

    dbt calls the macro at the end of a run, because a view reads marts that its own mart does not read. A mart that was
    not built in this run keeps its view. If the marts with the names are not built yet, as in a partial build, the view
    is not created.

    Tables are named without the database, because the views are copied into the published file, which readers attach
    under any name.
#}
{% macro plain_name_views(results) -%}
    {%- if execute and publishes() -%}
        {%- set stored = run_query(
            "select table_name from duckdb_tables() where database_name = current_database() and schema_name = 'marts'"
        ).columns[0].values() -%}
        {#- A transaction keeps a view and its comments together. It also avoids a disk write per statement. -#}
        begin;
        {% for result in results
            if result.status == 'success' and result.node.schema == 'marts' and result.node.config.materialized == 'table' -%}
            {{ plain_name_view(result.node, stored) }}
        {%- endfor %}
        commit;
    {%- endif -%}
{%- endmacro %}


{#
    The names to add beside ids: a column of the view, the mart that has it, and the key of both. A mart that has the
    name itself needs none.
#}
{% macro names_beside_ids(columns) -%}
    {%- set names = [
        {
            'column': 'player_name', 'key': 'player_id', 'mart': 'players', 'text': player_name('player_name'),
            'description': 'First and last name of the player.',
        },
        {
            'column': 'nation_name', 'key': 'nation_code', 'mart': 'nations', 'text': 'nation_name.nation_name',
            'description': 'Name of the nation.',
        },
        {
            'column': 'tournament_name', 'key': 'tournament_id', 'mart': 'tournaments', 'text': 'tournament_name.name',
            'description': 'Name of the tournament.',
        },
    ] -%}
    {%- set needed = [] -%}
    {%- for name in names if name.key in columns and name.column not in columns -%}
        {#- A mart of tournaments has their names in the column `name`. -#}
        {%- if name.column != 'tournament_name' or 'name' not in columns -%}{%- do needed.append(name) -%}{%- endif -%}
    {%- endfor -%}
    {{ return(needed) }}
{%- endmacro %}


{# The statements that create the view of one mart, if the marts that it needs are stored. #}
{% macro plain_name_view(mart, stored) -%}
    {#- The rows of these are themselves collections and rating systems, or compare rating systems. -#}
    {%- set has_systems = 'rating_system_id' in mart.columns
        and mart.name not in ('settings', 'rating_systems', 'system_comparison') -%}
    {%- set columns = mart.columns.values() | rejectattr('name', 'equalto', 'rating_system_id' if has_systems else '') | list -%}
    {%- set names = names_beside_ids(mart.columns) -%}
    {%- set needed = (names | map(attribute='mart') | list) + (['settings'] if has_systems else []) -%}
    {%- set view = target.schema ~ '.' ~ mart.name -%}

    {%- if needed | reject('in', stored) | list | length == 0 -%}
        create or replace view {{ view }} as
        select
            {% for column in columns %}own.{{ column.name }}, {% endfor %}
            {% for name in names %}{{ name.text }} as {{ name.column }}, {% endfor %}
        from marts.{{ mart.name }} as own
        {% for name in names %}
        left join marts.{{ name.mart }} as {{ name.column }} on own.{{ name.key }} = {{ name.column }}.{{ name.key }}
        {% endfor %}
        {% if has_systems %}
        where own.rating_system_id = (select settings.rating_system_id from marts.settings as settings)
        {% endif %};
        comment on view {{ view }} is {{ duckdb_escape_comment(
            mart.description ~ ' The view adds names beside ids' ~ (' and has only the default rating system.' if has_systems else '.')
        ) }};
        {% for column in columns %}
        comment on column {{ view }}.{{ column.name }} is {{ duckdb_escape_comment(column.description) }};
        {% endfor %}
        {% for name in names %}
        comment on column {{ view }}.{{ name.column }} is {{ duckdb_escape_comment(name.description) }};
        {% endfor %}
        {% if has_systems %}
        comment on table marts.{{ mart.name }} is {{ duckdb_escape_comment(
            mart.description ~ ' Has every rating system: filter rating_system_id, or read the view ' ~ view
            ~ ', which has only the default one.'
        ) }};
        {% endif %}
    {%- endif -%}
{%- endmacro %}
