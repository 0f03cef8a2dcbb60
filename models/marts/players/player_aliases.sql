-- Grain: one row per listed player id and tournament to which the alias applies (null: all tournaments).
-- With a tournament it is a split: elsewhere the listed id is another person.

select
    aliases.listed_player_id,
    aliases.tournament_id,
    tournaments.tournament_name,
    aliases.player_id,
    players.player_name,
    players.first_name,
    players.last_name,
    aliases.reason
from {{ ref('int_player_aliases') }} as aliases
inner join {{ ref('int_players') }} as players on aliases.player_id = players.player_id
left join {{ ref('int_tournaments') }} as tournaments on aliases.tournament_id = tournaments.tournament_id
order by aliases.listed_player_id, aliases.tournament_id nulls first
