-- Grain: one row per published ranking, last update and person, after aliases.

with published as (
    select * from {{ ref('stg_published_rankings') }}
),

aliases as (
    select * from {{ ref('int_player_aliases') }}
)

select
    published.ranking_name,
    published.author,
    published.last_update,
    published.published_rank,
    coalesce(aliases.player_id, published.listed_player_id) as player_id,
    published.source_player_id,
    published.listed_name,
    published.first_name,
    published.last_name,
    published.nation_code,
    published.location_code,
    published.published_rating,
    published.source_document,
    published.source_sha256,
    published.source_form
from published
left join aliases
    on
        published.listed_player_id = aliases.listed_player_id
        and aliases.tournament_id is null
