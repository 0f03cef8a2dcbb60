{#
    Teams listed as people: the name of a nation, alone or with a letter, a number or a word for a team (`England`,
    `France A`, `Team Germany`, `Italy 2`), or a name that begins or ends with a word for any team (`Team Rocket`). A
    nation beside another word is no fault: Anatole France is a person. A table in which most names are teams is one
    fault.
#}
{% macro listed_teams(rows, declared) -%}
    {%- set tables = {'raw_results': ['tournament_id'], 'raw_published_rankings': ['ranking_name', 'last_update']} -%}
    {%- set of_nation = "'the name `' || listed_name || '` of a nation or a team'" -%}
    {%- set of_teams = "'a table of teams: ' || teams || ' of its ' || listed || ' names are those of nations or teams, such as `' || listed_name || '`'" -%}
    {%- set person = "a person''s first and last name" -%}
    select *
    from (
        with nations as (
            select {{ plain_name('name') }} as nation from {{ rows.ref_nations }}
            union
            select {{ plain_name('name') }} from {{ rows.ref_nation_names }}
        ),

        words as (
            select {{ plain_name('listed_as') }} as word
            from {{ rows.ref_not_people }}
            where trim(meaning) in ('team', 'any team')
        ),

        words_of_any_team as (
            select {{ plain_name('listed_as') }} as word from {{ rows.ref_not_people }} where trim(meaning) = 'any team'
        ),

        names_of_teams as (
            select nation as team from nations
            union all
            select word from words
            union all
            select word || nation from nations cross join words
            union all
            select nation || word from nations cross join words
        )

        {% for seed, table in tables.items() -%}
        select
        {{ fault(
            seed, 'row_key', 'listed_name',
            "case when is_of_teams then " ~ of_teams ~ " else " ~ of_nation ~ " end",
            "case when is_of_teams then 'a table of people' else '" ~ person ~ "' end",
            "case when is_of_teams then 'Only people are rated. If these are people' else 'Delete the row of a team. If it is a person' end"
                ~ " || ', write the whole name, such as `Ann ENGLAND`.'"
        ) }}
        from (
            select
                *,
                teams >= 3 and 2 * teams > listed as is_of_teams
            from (
                select
                    {{ row_key(table + ['player_id']) }} as row_key,
                    line,
                    listed_name,
                    count(*) over (partition by {{ table | join(', ') }}) as teams,
                    row_number() over (partition by {{ table | join(', ') }} order by line, player_id) as number,
                    (
                        select count(*) from {{ rows[seed] }} as listings
                        where {% for column in table %}listings.{{ column }} = stated.{{ column }}{{ ' and ' if not loop.last }}{% endfor %}
                    ) as listed
                from {{ rows[seed] }} as stated
                where {{ is_team('listed_name') }}
            ) as counted
        ) as told
        where number = 1 or not is_of_teams

        union all
        {% endfor %}
        select
        {{ fault('ref_corrections', 'row_key', 'value', of_nation, "'" ~ person ~ "'") }}
        from (
            select row_key, line, trim(first || ' ' || last) as listed_name
            from {{ corrected_names(rows) }} as corrected
        ) as named
        where {{ is_team('listed_name') }}
    ) as teams_listed
{%- endmacro %}


{# Whether a name is in `names_of_teams`, with or without a letter or number after it, or its first or last words name any team. #}
{% macro is_team(name) -%}
    {%- set number = '([ .(#-]*[0-9]+|[ .(#-]+([A-Za-z]|[IVX]{1,4}))[.)]*$' -%}
    (
        {{ plain_name(name) }} in (select team from names_of_teams)
        or {{ plain_name("regexp_replace(" ~ name ~ ", '" ~ number ~ "', '')") }} in (select team from names_of_teams)
        {%- for part in ('^[^ ,.]+', '^[^ ,.]+ [^ ,.]+', '[^ ,.]+$') %}
        or {{ plain_name("regexp_extract(" ~ name ~ ", '" ~ part ~ "', 0)") }} in (select word from words_of_any_team)
        {%- endfor %}
    )
{%- endmacro %}


{#
    A name in which spelling variants are equal. It is computed for every listed name, and `replace` takes a tenth of
    the time of `translate`.
#}
{% macro plain_name(text) -%}
    {{ without_accents("lower(replace(replace(replace(" ~ text ~ ", ' ', ''), '.', ''), '-', ''))") }}
{%- endmacro %}
