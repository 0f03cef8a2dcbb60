{#
    The listings with a suspicious name, and the reason. The importer takes such names as written; the rating keeper checks them.

    `listings` has the columns `first_name` and `last_name`, `not_people` is ref_not_people, and `nations` holds every
    `name` and code of a nation. The mart and the importer run the same rule.
#}
{% macro suspicious_names(listings, not_people, nations) -%}
    {%- set latin = '[A-Za-z\\x{00C0}-\\x{024F}]' -%}
    {%- set other = '[^\\P{L}A-Za-z\\x{00AA}-\\x{024F}\\x{1E00}-\\x{1EFF}]' %}
    with teams as (
        select {{ plain_words('listed_as') }} as word from {{ not_people }} where meaning in ('team', 'any team', 'likely team')
    ),

    words as (
        select word from teams
        union
        -- Shorter names are codes and first names, too: Ken, Guy, Per.
        select {{ plain_words('name') }} from {{ nations }} where length(name) > 3
    ),

    names as (
        select
            *,
            {{ player_name('listed') }} as name,
            -- Without the letter or number of a team: `Sweden B`, `Italy 2`.
            regexp_replace({{ plain_words(player_name('listed')) }}, ' ([a-z]|[ivx]+|[0-9]+)$', '') as plain_name
        from {{ listings }} as listed
    ),

    -- DuckDB would otherwise compile and match the patterns for the filter, and again for the output.
    judged as materialized (
        select
            *,
            case
                -- Anything but letters and what joins them; and words in single quotes.
                when regexp_matches(name, '[^\p{L}\p{M}\p{Pd} .,''‘’·・&/+;]|(^| )[''‘’].*[''’]( |$)') then 'digits, brackets or signs in it'
                when regexp_matches(lower(name), '[&/+;]| (and|et|und|og|och) ') then 'two people'
                when regexp_matches(name, '{{ latin }}\p{L}*{{ other }}|{{ other }}\p{L}*{{ latin }}') then 'two alphabets in a word'
                when
                    plain_name in (select word from words)
                    or regexp_extract(plain_name, '[^ ]+$') in (select word from words)
                    or regexp_extract(plain_name, '[^ ]+ [^ ]+$') in (select word from words)
                    or regexp_extract(plain_name, '^[^ ]+') in (select word from teams)
                    -- A code, such as `Kari NORDMANN NOR`: no other name of a nation is in capitals.
                    or last_name in (select name from {{ nations }})
                    -- `Anna Archer, USA` is read as a last name and a first name.
                    or (first_name = upper(first_name) and first_name in (select name from {{ nations }}))
                    then 'a nation or a team'
                when regexp_full_match(first_name, '[\p{Ll} .''-]+') then 'all small letters'
            end as reason
        from names
    )

    select * from judged where reason is not null
{%- endmacro %}


{# A text in lower case, without accents and dots. #}
{% macro plain_words(text) -%}
    lower({{ without_accents("replace(trim(" ~ text ~ "), '.', '')") }})
{%- endmacro %}
