-- Grain: one row per tournament and person.
-- Without withdrawn results and results of withdrawn tournaments. Ratings and records read it.

select
    tournament_id,
    player_id,
    listed_player_id,
    source_player_id,
    listed_name,
    first_name,
    last_name,
    nation_code,
    location_code,
    started_on,
    ended_on,
    players,
    placement,
    percentile_score,
    published_score,
    is_corrected,
    listed_by
from {{ ref('int_scored_results') }}
where not is_withdrawn
