{#
    Listed names that belong to no person (`Bye`, `N. N.`, `Total`), in documents and after corrections. They would be
    rated like people. A name cannot contain brackets, a mark that refers to a note or joins two people, a number after
    a word (`Ry4an` is a name), or, after a comma, a nation or a word of ref_not_people.
#}
{% macro listed_nobodies(rows, declared) -%}
    {%- set found = "'the name `' || listed_name || '`' || case when extra != '' then ' with `' || extra || '` in it, which is no part of a name' else '' end" -%}
    {%- set whole_name = "'somebody''s first and last name, not a word of ref_not_people'" -%}
    {%- set listings = {
        'raw_results': ['tournament_id', 'player_id'],
        'raw_published_rankings': ['ranking_name', 'last_update', 'player_id'],
    } -%}
    select *
    from (
        with words as (
            select {{ bare_word('listed_as') }} as word
            from {{ rows.ref_not_people }}
            where trim(meaning) not in ('any team', 'likely team')
        ),

        not_first_names as (
            select word from words
            union all
            select {{ bare_word('name') }} from {{ rows.ref_nations }}
            union all
            -- Short names are codes, and codes are first names, too: Ken, Guy, Per.
            select {{ bare_word('name') }} from {{ rows.ref_nation_names }} where length(trim(name)) > 3
        ),

        names as (
            {% for seed, key in listings.items() if not declared[seed].is_empty -%}
            select
                '{{ seed }}' as seed,
                {{ row_key(key) }} as row_key,
                line,
                listed_name,
                coalesce(regexp_extract(listed_name, ', *(.*)', 1), '') as behind_comma
            from {{ rows[seed] }}

            union all
            {% endfor %}
            select
                'ref_corrections' as seed,
                row_key,
                line,
                trim(first || ' ' || last) as listed_name,
                '' as behind_comma
            from {{ rows.corrected_names }}
        ),

        bare_names as (
            select
                *,
                {{ bare_word('listed_name') }} in (select word from words) as is_word
            from names
        ),

        classified as (
            select
                *,
                case
                    when is_word then ''
                    -- Text in lower case after a comma is not a first name (`Dyer, withdrew after round 1`).
                    when
                        behind_comma != '' and (
                            {{ bare_word('behind_comma') }} in (select word from not_first_names)
                            or {{ matches('listed_name', '\\p{Lu}.*, *\\p{Ll}.*') }}
                        )
                        then behind_comma
                    else {{ no_part_of_name('listed_name') }}
                end as extra
            from bare_names
        )

        {% for seed in listings if not declared[seed].is_empty -%}
        select
        {{ fault(
            seed, 'row_key', 'listed_name', found,
            "case when extra != '' then 'the name of one person alone' else " ~ whole_name ~ " end",
            "case
                when extra in ('*', '†', '‡', '&', '/', 'and', 'et', 'und', 'og', 'och', 'AND', 'ET', 'UND') or extra like '[%' then 'Two people need a row each; a mark is explained by a remark that begins with `#`.'
                when extra != '' and extra = behind_comma then 'A nation has a column of its own (in a list: `(FRA)` behind the name), and a placement is `-` for somebody who has none. If it is a first'
                    || ' name, write it before the last name.'
                when extra != '' then 'Take it out of the name; the placement stays, and is `-` for somebody who has none.'
                else 'Delete the row, or name the person.'
            end"
        ) }}
        from classified
        where seed = '{{ seed }}' and (extra != '' or is_word)

        union all
        {% endfor %}
        select
        {{ fault('ref_corrections', 'row_key', 'value', found, "case when extra != '' then 'the name alone' else " ~ whole_name ~ " end") }}
        from classified
        where seed = 'ref_corrections' and (extra != '' or is_word)
    ) as nobodies_listed
{%- endmacro %}


{# A text in which spelling variants are equal: `N. N.`, `N.N.` and `nn`. #}
{% macro bare_word(text) -%}
    coalesce(nullif(lower(translate({{ text }}, ' .,:!-_''’()[]{}/*', '')), ''), trim({{ text }}))
{%- endmacro %}


{# The first part of a name that cannot belong to any name; empty if there is none. #}
{% macro no_part_of_name(text) -%}
    coalesce(trim(regexp_extract(replace({{ text }}, ' und zu ', ' '), '[*†‡&:/]| (and|et|und|og|och|AND|ET|UND) |[[][0-9]+[]]| [-–—] .*|[(][^)]+[)]?| [0-9][0-9.,]*(pts?)?( |$)', 0)), '')
{%- endmacro %}
