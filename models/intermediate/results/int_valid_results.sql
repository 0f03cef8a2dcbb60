-- Grain: one row per tournament and person.
-- Without withdrawn results and results of withdrawn tournaments. Ratings and records read it.

select
    tournament_id,
    player_id,
    started_on,
    ended_on,
    players,
    placement,
    percentile_score,
    published_score,
    is_corrected
from {{ ref('int_scored_results') }}
where not is_withdrawn
