-- Grain: one row per tournament and listed player.
-- The person after aliases, and the percentile score of the placement.

with results as (
    select * from {{ ref('int_corrected_results') }}
),

tournaments as (
    select * from {{ ref('int_tournaments') }}
),

aliases as (
    select * from {{ ref('int_player_aliases') }}
)

select
    results.tournament_id,
    -- An alias for one tournament overrides one for all.
    coalesce(alias_there.player_id, alias_everywhere.player_id, results.listed_player_id) as player_id,
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
    results.is_placement_corrected or tournaments.are_players_corrected as is_corrected,
    results.listed_by,
    results.is_withdrawn or tournaments.is_withdrawn as is_withdrawn
from results
inner join tournaments on results.tournament_id = tournaments.tournament_id
left join aliases as alias_there
    on
        results.listed_player_id = alias_there.listed_player_id
        and results.tournament_id = alias_there.tournament_id
left join aliases as alias_everywhere
    on
        results.listed_player_id = alias_everywhere.listed_player_id
        and alias_everywhere.tournament_id is null
