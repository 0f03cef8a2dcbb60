-- Grain: one row per published ranking, last update and person, after aliases.

select
    published.*,
    coalesce(aliases.player_id, published.listed_player_id) as player_id
from {{ ref('stg_published_rankings') }} as published
left join {{ ref('int_player_aliases') }} as aliases
    on
        published.listed_player_id = aliases.listed_player_id
        and aliases.tournament_id is null
