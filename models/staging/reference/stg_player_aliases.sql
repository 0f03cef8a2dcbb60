-- Grain: one row per listed player id, and the tournament where the alias holds (none: everywhere).

select
    listed_player_id,
    nullif(trim(tournament_id), '') as tournament_id,
    player_id,
    trim(reason) as reason
from {{ ref('ref_player_aliases') }}
