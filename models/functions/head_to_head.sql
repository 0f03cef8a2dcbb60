-- Grain: one row per opponent of a player. They met in a tournament if both have a placement.
-- select * from marts.head_to_head('cyrille-sevin')
-- A function, because a table of all pairs grows faster than the collection.

select
    opponents.opponent_id,
    players.player_name as opponent_name,
    players.first_name,
    players.last_name,
    opponents.tournaments,
    opponents.times_ahead,
    opponents.times_behind,
    opponents.times_level,
    opponents.last_met_on
from ({{ meetings('own.player_id = ' ~ asked_player()) }}) as opponents
inner join {{ mart('players') }} as players on opponents.opponent_id = players.player_id
order by opponents.tournaments desc, opponents.times_ahead desc, opponents.opponent_id asc
