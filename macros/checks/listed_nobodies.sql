{#
    Listed names, in documents and after corrections, that are a word of ref_not_people for nobody (`Bye`, `N. N.`,
    `Total`): they would be rated like people. Words for teams only make a name suspicious.
#}
{% macro listed_nobodies() -%}
    with names as (
        select
            'raw_results' as seed,
            document_id || ' ' || tournament_id || ' ' || listed_player_id as row_key,
            'listed_name' as column_name,
            listed_name
        from {{ ref('stg_results') }}

        union all

        select
            'raw_published_rankings' as seed,
            document_id || ' ' || ranking_name || ' ' || last_update || ' ' || listed_player_id as row_key,
            'listed_name' as column_name,
            listed_name
        from {{ ref('stg_published_rankings') }}

        union all

        select
            'ref_corrections' as seed,
            cast(corrections.correction_number as varchar) as row_key,
            'value' as column_name,
            {{ player_name('results') }} as listed_name
        from {{ ref('int_results') }} as results
        inner join {{ ref('stg_corrections') }} as corrections using (tournament_id, listed_player_id)
        where corrections.is_current and corrections.field in ('first_name', 'last_name')
    )

    select {{ fault('nobody', none, 'row_key', none, 'listed_name') }}
    from names
    where
        {{ bare_word('listed_name') }} in (
            select {{ bare_word('listed_as') }} from {{ ref('ref_not_people') }}
            where trim(meaning) in ('nobody', 'total', 'role')
        )
{%- endmacro %}


{# A text in which spelling variants are equal: `N. N.`, `N.N.` and `nn`. #}
{% macro bare_word(text) -%}
    coalesce(nullif(lower(regexp_replace({{ text }}, '[^\p{L}\p{N}]+', '', 'g')), ''), trim({{ text }}))
{%- endmacro %}
