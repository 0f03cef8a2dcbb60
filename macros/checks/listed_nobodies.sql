{#
    Listed names that are nobody's (`Bye`, `N. N.`, `Total`), as documents state them and as corrections leave them: they would be rated
    like anybody else. A role in brackets is no part of a name, nor is a mark that refers to a note or joins two people.
#}
{% macro listed_nobodies(rows, declared) -%}
    {%- set words -%}
    (select {{ bare_word('listed_as') }} as word from {{ rows.ref_not_people }})
    {%- endset %}
    {%- set listings = {
        'raw_results': ['tournament_id', 'player_id'],
        'raw_published_rankings': ['ranking_name', 'last_update', 'player_id'],
    } -%}
    {%- for seed, key in listings.items() %}
    select
    {{ fault(
        seed, row_key(key), 'listed_name',
        "'the name `' || listed_name || '`' || case when extra != '' then ' with `' || extra || '` in it, which is no part of a name' else '' end",
        "case when extra != '' then 'the name of one person alone' else 'somebody''s first and last name, not a word of ref_not_people' end",
        "case
            when mark != '' then 'Two people need a row each; a mark is explained by a remark that begins with `#`.'
            when extra != '' then 'Take it out of the name; the placement stays, and is `-` for somebody who has none.'
            else 'Delete the row, or name the person.'
        end"
    ) }}
    from (
        select
            *,
            case when mark != '' then mark else role end as extra
        from (
            select
                *,
                coalesce(regexp_extract(listed_name, '[*†‡&]|[[][0-9]+[]]', 0), '') as mark,
                {{ in_brackets('listed_name') }} as role
            from {{ rows[seed] }}
        ) as listed
    ) as marked
    where
        mark != ''
        or {{ bare_word('listed_name') }} in (select word from {{ words }} as words)
        or (role != '' and {{ bare_word('role') }} in (select word from {{ words }} as words))

    union all
    {% endfor %}
    select
    {{ fault(
        'ref_corrections', 'row_key', 'value',
        "'the name `' || name || '`' || case when role != '' then ' with `' || role || '` in it, which is no part of a name' else '' end",
        "case when role != '' then 'the name alone' else 'somebody''s first and last name, not a word of ref_not_people' end"
    ) }}
    from (
        select
            *,
            trim(first || ' ' || last) as name,
            {{ in_brackets('value') }} as role
        from {{ corrected_names(rows) }} as corrected
    ) as named
    where
        {{ bare_word('name') }} in (select word from {{ words }} as words)
        or (role != '' and {{ bare_word('role') }} in (select word from {{ words }} as words))
{%- endmacro %}


{# A text by which two ways of writing are one: `N. N.`, `N.N.` and `nn`. #}
{% macro bare_word(text) -%}
    coalesce(nullif(lower(translate({{ text }}, ' .,:!-_''’()[]{}/*', '')), ''), trim({{ text }}))
{%- endmacro %}


{# What stands in brackets in a text; empty for nothing. #}
{% macro in_brackets(text) -%}
    coalesce(regexp_extract({{ text }}, '[(]([^)]*)[)]', 1), '')
{%- endmacro %}


{# The corrections of names in force, with the first and last name that they leave. #}
{% macro corrected_names(rows) -%}
    (
        select
            decided.row_key,
            decided.line,
            decided.value,
            coalesce(first_names.value, trim(results.first_name), '') as first,
            coalesce(last_names.value, trim(results.last_name), '') as last
        from {{ tidy_corrections(rows) }} as decided
        inner join {{ rows.raw_results }} as results
            on decided.tournament_id = trim(results.tournament_id) and decided.player_id = trim(results.player_id)
        left join {{ corrected_field(rows, 'first_name') }} as first_names
            on decided.tournament_id = first_names.tournament_id and decided.player_id = first_names.player_id
        left join {{ corrected_field(rows, 'last_name') }} as last_names
            on decided.tournament_id = last_names.tournament_id and decided.player_id = last_names.player_id
        where decided.is_in_force and decided.value is not null and decided.field in ('first_name', 'last_name')
    )
{%- endmacro %}
