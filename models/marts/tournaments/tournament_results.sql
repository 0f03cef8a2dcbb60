-- Grain: one row per tournament and listed player.

select
    results.tournament_id,
    results.tournament_name,
    results.placement,
    results.player_id,
    {{ names_of('players') }},
    results.percentile_score,
    results.game_score,
    results.listed_name,
    results.source_player_id,
    results.listed_by,
    results.listed_player_id,
    results.is_withdrawn
from {{ ref('int_results') }} as results
inner join {{ ref('int_players') }} as players on results.player_id = players.player_id
order by results.tournament_id, results.placement nulls last, results.player_id, results.listed_player_id
