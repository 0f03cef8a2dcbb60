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
    {#- A letter or number after a name. -#}
    {%- set number = '([ .(#-]*[0-9]+|[ .(#-]+([A-Za-z]|[IVX]{1,4}))[.)]*$' %}
    select *
    from (
        with nations as (
            select {{ plain_name('name') }} as nation from {{ rows.ref_nations }}
            union
            select {{ plain_name('name') }} from {{ rows.ref_nation_names }}
        ),

        words as (
            select
                {{ plain_name('listed_as') }} as word,
                trim(meaning) = 'any team' as is_of_any_team
            from {{ rows.ref_not_people }}
            where trim(meaning) in ('team', 'any team')
        ),

        names as (
            {% for seed, table in tables.items() if not declared[seed].is_empty -%}
            select
                '{{ seed }}' as seed,
                {{ row_key(table) }} as of_table,
                {{ row_key(table + ['player_id']) }} as row_key,
                line,
                player_id,
                listed_name
            from {{ rows[seed] }}

            union all
            {% endfor %}
            select
                'ref_corrections' as seed,
                row_key as of_table,
                row_key,
                line,
                '' as player_id,
                trim(first || ' ' || last) as listed_name
            from {{ rows.corrected_names }}
        ),

        spelt as (
            select
                *,
                {{ plain_name('listed_name') }} as plain,
                {{ plain_name("regexp_replace(listed_name, '" ~ number ~ "', '')") }} as without_number,
                {{ plain_name("regexp_extract(listed_name, '^[^ ,.]+', 0)") }} as first_word,
                {{ plain_name("regexp_extract(listed_name, '^[^ ,.]+ [^ ,.]+', 0)") }} as first_words,
                {{ plain_name("regexp_extract(listed_name, '[^ ,.]+$', 0)") }} as last_word
            from names
        ),

        forms as (
            select plain as form from spelt
            union
            select without_number from spelt
        ),

        -- All nations beside all words would be 250,000 rows.
        forms_of_teams as (
            select nation as form from nations
            union all
            select word from words
            union all
            select form
            from forms
            inner join words on forms.form like words.word || '%'
            inner join nations on substring(forms.form, length(words.word) + 1) = nations.nation
            union all
            select form
            from forms
            inner join words on forms.form like '%' || words.word
            inner join nations on substring(forms.form, 1, length(forms.form) - length(words.word)) = nations.nation
        ),

        listed_as_teams as (
            select *
            from spelt
            where
                plain in (select form from forms_of_teams)
                or without_number in (select form from forms_of_teams)
                or first_word in (select word from words where is_of_any_team)
                or first_words in (select word from words where is_of_any_team)
                or last_word in (select word from words where is_of_any_team)
        ),

        counted as (
            select
                *,
                count(*) over (partition by seed, of_table) as teams,
                row_number() over (partition by seed, of_table order by line, player_id) as number,
                (
                    select count(*) from names
                    where names.seed = listed_as_teams.seed and names.of_table = listed_as_teams.of_table
                ) as listed
            from listed_as_teams
        ),

        classified as (
            select
                *,
                teams >= 3 and 2 * teams > listed as is_of_teams
            from counted
        )

        {% for seed in tables if not declared[seed].is_empty -%}
        select
        {{ fault(
            seed, 'row_key', 'listed_name',
            "case when is_of_teams then " ~ of_teams ~ " else " ~ of_nation ~ " end",
            "case when is_of_teams then 'a table of people' else '" ~ person ~ "' end",
            "case when is_of_teams then 'Only people are rated. If these are people' else 'Delete the row of a team. If it is a person' end"
                ~ " || ', write the whole name, such as `Ann ENGLAND`.'"
        ) }}
        from classified
        where seed = '{{ seed }}' and (number = 1 or not is_of_teams)

        union all
        {% endfor %}
        select
        {{ fault('ref_corrections', 'row_key', 'value', of_nation, "'" ~ person ~ "'") }}
        from classified
        where seed = 'ref_corrections'
    ) as teams_listed
{%- endmacro %}


{#
    A name in which spelling variants are equal. It is computed for every listed name, and `replace` takes a tenth of
    the time of `translate`.
#}
{% macro plain_name(text) -%}
    {{ without_accents("lower(replace(replace(replace(" ~ text ~ ", ' ', ''), '.', ''), '-', ''))") }}
{%- endmacro %}
