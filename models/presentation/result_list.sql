-- Grain: one row per rating system, tournament and listed player.
-- The tournament's page and the player's page show the same row.

select
    rating_systems.rating_system_id,
    results.tournament_id,
    results.player_id,
    results.tournament_name,
    tournaments.place,
    tournaments.kind,
    tournaments.is_world_championship,
    tournaments.started_on,
    tournaments.ended_on,
    tournaments.stated_period,
    tournaments.is_complete,
    {{ names_of('results') }},
    players.location_code,
    results.listed_player_id,
    results.listed_name,
    results.placement,
    tournaments.players,
    results.percentile_score,
    results.game_score,
    history.event_number,
    history.tournament_value,
    history.rating_before,
    history.rating_change,
    history.rating_after,
    case
        when results.is_withdrawn then 'withdrawn'
        when results.placement is null then 'no placement'
        when not included.is_counted then included.value_rule
    end as not_counted_because,
    breakdown.weight,
    breakdown.contribution,
    -- Places are shown where the ratings before predict them.
    case when history.expected_place is not null then history.listed_place end as listed_place,
    history.expected_place,
    history.places_better
from {{ mart('tournament_results') }} as results
cross join {{ mart('rating_systems') }} as rating_systems
inner join {{ mart('tournaments') }} as tournaments using (tournament_id)
inner join {{ mart('players') }} as players on results.player_id = players.player_id
inner join {{ mart('included_tournaments') }} as included using (rating_system_id, tournament_id)
left join {{ mart('rating_history') }} as history
    on
        rating_systems.rating_system_id = history.rating_system_id
        and results.tournament_id = history.tournament_id
        and results.player_id = history.player_id
        and not results.is_withdrawn
left join {{ mart('rating_breakdown') }} as breakdown
    on
        history.rating_system_id = breakdown.rating_system_id
        and history.player_id = breakdown.player_id
        and history.event_number = breakdown.event_number
