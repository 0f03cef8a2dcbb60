-- Grain: one row per published ranking, last update and person, after aliases.
-- Of each fact the first statement: a player's page of a rating states one row of its ranking.

with statements as (
    select
        published.*,
        coalesce(aliases.player_id, published.listed_player_id) as person_id,
        documents.source_document,
        documents.source_sha256,
        documents.source_form,
        row_number() over (
            partition by
                published.ranking_name, published.last_update, coalesce(aliases.player_id, published.listed_player_id)
            order by documents.precedence, published.listed_player_id
        ) as preference
    from {{ ref('stg_published_rankings') }} as published
    inner join {{ ref('stg_documents') }} as documents on published.document_id = documents.document_id
    left join {{ ref('int_player_aliases') }} as aliases
        on published.listed_player_id = aliases.listed_player_id and aliases.tournament_id is null
)

select
    split_part(
        min_by(source_player_ids, preference) filter (where source_player_ids is not null), ' ', 1
    ) as source_player_id,
    ranking_name,
    {% for fact in [
        'document_id', 'source_document', 'source_sha256', 'source_form', 'listed_player_id', 'author', 'listed_name',
        'first_name', 'last_name', 'published_rank', 'published_rating'
    ] -%}
        max({{ fact }}) filter (where preference = 1) as {{ fact }},
    {% endfor -%}
    {% for fact in ['nation_code', 'location_code', 'published_national_rank', 'published_tournaments'] -%}
        min_by({{ fact }}, preference) filter (where {{ fact }} is not null) as {{ fact }},
    {% endfor -%}
    last_update,
    person_id as player_id
from statements
group by ranking_name, last_update, person_id
