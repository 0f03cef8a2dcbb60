-- Grain: one row per published ranking, last update and person, after aliases.

with published as (
    select * from {{ ref('stg_published_rankings') }}
),

aliases as (
    select * from {{ ref('int_player_aliases') }}
)

select
    published.*,
    coalesce(aliases.player_id, published.listed_player_id) as player_id
from published
left join aliases
    on
        published.listed_player_id = aliases.listed_player_id
        and aliases.tournament_id is null
