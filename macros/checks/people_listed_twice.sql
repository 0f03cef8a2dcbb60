{#
    People listed twice in one tournament, or by one document in one published ranking, under two ids that aliases merge.
    Withdrawn results are ignored.
#}
{% macro people_listed_twice() -%}
    with listed as (
        select
            'raw_results' as seed,
            document_id || ' ' || tournament_id as row_of,
            tournament_id as listed_in,
            listed_player_id,
            player_id
        from {{ ref('int_results') }}
        where not is_result_withdrawn

        union all

        select
            'raw_published_rankings' as seed,
            published.document_id || ' ' || published.ranking_name || ' ' || published.last_update as row_of,
            row_of as listed_in,
            published.listed_player_id,
            coalesce(aliases.player_id, published.listed_player_id) as player_id
        from {{ ref('stg_published_rankings') }} as published
        left join {{ ref('int_player_aliases') }} as aliases
            on published.listed_player_id = aliases.listed_player_id and aliases.tournament_id is null
    )

    select
    {{ fault(
        'listed_twice', none, ['row_of', 'listed_player_id'], 'player_id', 'listed_player_id',
        'min(listed_player_id) over (partition by seed, listed_in, player_id)', 'player_id'
    ) }}
    from listed
    qualify value != other
{%- endmacro %}
