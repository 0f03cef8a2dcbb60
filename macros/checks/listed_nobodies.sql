{#
    Listed names, in documents and after corrections, that are a word of ref_not_people for nobody (`Bye`, `N. N.`,
    `Total`): they would be rated like people. Words for teams only make a name suspicious.
#}
{% macro listed_nobodies(rows, declared) -%}
    {%- set found = "'the name `' || listed_name || '`'" -%}
    {%- set expected = "'somebody''s first and last name, not a word of ref_not_people'" -%}
    {%- set way_out = "'Delete the row, or name the person.'" -%}
    select *
    from (
        with words as (
            select {{ bare_word('listed_as') }} as word
            from {{ rows.ref_not_people }}
            where trim(meaning) in ('nobody', 'total', 'role')
        )

        {% for seed in ('raw_results', 'raw_published_rankings') if not declared[seed].is_empty -%}
        select
        {{ fault(seed, row_key(declared[seed].key), 'listed_name', found, expected, way_out) }}
        from {{ rows[seed] }} as listed
        where {{ bare_word('listed_name') }} in (select word from words)

        union all
        {% endfor %}
        select
        {{ fault('ref_corrections', 'row_key', 'value', found, expected) }}
        from (
            select
                row_key,
                line,
                trim(first || ' ' || last) as listed_name
            from {{ rows.corrected_names }}
        ) as corrected
        where {{ bare_word('listed_name') }} in (select word from words)
    ) as nobodies_listed
{%- endmacro %}


{# A text in which spelling variants are equal: `N. N.`, `N.N.` and `nn`. #}
{% macro bare_word(text) -%}
    coalesce(nullif(lower(translate({{ text }}, ' .,:!-_''’()[]{}/*', '')), ''), trim({{ text }}))
{%- endmacro %}
