{#
    Listed names, in documents and after corrections, that are a word of ref_not_people for nobody (`Bye`, `N. N.`,
    `Total`): they would be rated like people. Words for teams only make a name suspicious.
#}
{% macro listed_nobodies(declared) -%}
    select
    {{ fault('nobody', none, 'row_key', none, 'listed_name') }}
    from (
        select
            seed,
            row_key,
            line,
            'listed_name' as column_name,
            listed_name
        from {{ listed_people() }} as listed

        union all

        select
            'ref_corrections' as seed,
            coalesce(last_names.row_key, first_names.row_key) as row_key,
            coalesce(last_names.line, first_names.line) as line,
            'value' as column_name,
            concat_ws(
                ' ',
                nullif(coalesce(first_names.value, trim(listed.first_name)), ''),
                coalesce(last_names.value, trim(listed.last_name))
            ) as listed_name
        from raw_results as listed
        left join {{ corrected_field('first_name', true) }} as first_names
            on trim(listed.tournament_id) = first_names.tournament_id and trim(listed.player_id) = first_names.player_id
        left join {{ corrected_field('last_name', true) }} as last_names
            on trim(listed.tournament_id) = last_names.tournament_id and trim(listed.player_id) = last_names.player_id
        where first_names.value is not null or last_names.value is not null
    ) as names
    where
        {{ bare_word('listed_name') }} in (
            select {{ bare_word('listed_as') }} from ref_not_people where trim(meaning) in ('nobody', 'total', 'role')
        )
{%- endmacro %}


{# A text in which spelling variants are equal: `N. N.`, `N.N.` and `nn`. #}
{% macro bare_word(text) -%}
    coalesce(nullif(lower(regexp_replace({{ text }}, '[^\p{L}\p{N}]+', '', 'g')), ''), trim({{ text }}))
{%- endmacro %}
