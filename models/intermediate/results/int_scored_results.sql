-- Grain: one row per tournament and listed player.
-- The person after aliases, and the percentile score of the placement.

select
    results.tournament_id,
    results.player_id,
    results.listed_player_id,
    results.source_player_id,

    results.listed_name,
    results.first_name,
    results.last_name,
    results.nation_code,
    results.location_code,

    tournaments.started_on,
    tournaments.ended_on,
    tournaments.players,
    results.placement,
    -- Null if the tournament declares no number of players, or the person has no placement.
    {{ percentile_score('tournaments.players', 'results.placement') }} as percentile_score,
    results.published_score,
    results.game_score,
    results.is_placement_corrected or tournaments.are_players_corrected as is_corrected,
    results.listed_by,
    results.is_withdrawn or tournaments.is_withdrawn as is_withdrawn
from {{ with_person(ref('int_corrected_results')) }} as results
inner join {{ ref('int_tournaments') }} as tournaments on results.tournament_id = tournaments.tournament_id
