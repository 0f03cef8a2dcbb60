-- Grain: one row per listed player id and tournament to which the alias applies (null: all tournaments).

select
    aliases.*,
    players.first_name,
    players.last_name
from {{ ref('int_player_aliases') }} as aliases
inner join {{ ref('int_players') }} as players on aliases.player_id = players.player_id
order by aliases.listed_player_id, aliases.tournament_id nulls first
