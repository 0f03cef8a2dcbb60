-- Grain: one row per listed player id and tournament to which the alias applies (null: all tournaments).

select
    trim(listed_player_id) as listed_player_id,
    nullif(trim(tournament_id), '') as tournament_id,
    trim(player_id) as player_id,
    trim(reason) as reason
from {{ ref('ref_player_aliases') }}
