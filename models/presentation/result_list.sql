-- Grain: one row per tournament and person whom it lists: the line on the page of the one and on the page of the other.
-- Ratings are those of the rating system that the collection shows first.

select
    results.tournament_id,
    results.player_id,
    tournaments.name as tournament_name,
    tournaments.place,
    tournaments.kind,
    tournaments.is_world_championship,
    tournaments.started_on,
    tournaments.ended_on,
    results.first_name,
    results.last_name,
    results.nation_code,
    nations.nation_name,
    players.location_code,
    results.listed_name,
    results.placement,
    tournaments.players,
    results.percentile_score,
    history.event_number,
    history.tournament_value,
    history.rating_before,
    history.rating_change,
    history.rating_after,
    performances.listed_players,
    performances.listed_place,
    performances.expected_place,
    performances.places_better
from {{ mart('tournament_results') }} as results
inner join {{ mart('tournaments') }} as tournaments on results.tournament_id = tournaments.tournament_id
inner join {{ mart('players') }} as players on results.player_id = players.player_id
left join {{ mart('nations') }} as nations on results.nation_code = nations.nation_code
left join {{ of_default_system('rating_history') }} as history
    on
        results.tournament_id = history.tournament_id
        and results.player_id = history.player_id
left join {{ of_default_system('performances') }} as performances
    on
        history.player_id = performances.player_id
        and history.event_number = performances.event_number
