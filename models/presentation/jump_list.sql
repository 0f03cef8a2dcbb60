-- Grain: one row per direction, player and event, of the largest changes.
-- By the rating system that the collection shows first.

select
    jumps.direction,
    jumps.rank,
    jumps.player_id,
    jumps.event_number,
    jumps.first_name,
    jumps.last_name,
    jumps.tournament_id,
    tournaments.name as tournament_name,
    jumps.ended_on,
    jumps.placement,
    jumps.players,
    jumps.rating_before,
    jumps.rating_change,
    jumps.rating_after
from {{ of_default_system('rating_jumps') }} as jumps
inner join {{ mart('tournaments') }} as tournaments on jumps.tournament_id = tournaments.tournament_id
