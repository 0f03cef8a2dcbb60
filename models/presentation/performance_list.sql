-- Grain: one row per player and event, of the hundred best performances.
-- By the rating system that the collection shows first.

select
    performances.rank,
    performances.player_id,
    performances.event_number,
    performances.first_name,
    performances.last_name,
    performances.tournament_id,
    tournaments.name as tournament_name,
    performances.ended_on,
    performances.placement,
    tournaments.players,
    performances.expected_place,
    performances.listed_place,
    performances.places_better
from {{ of_default_system('performances') }} as performances
inner join {{ mart('tournaments') }} as tournaments on performances.tournament_id = tournaments.tournament_id
where performances.rank <= 100
