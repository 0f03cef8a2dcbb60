-- Grain: one row per rating system, player and event number.

select
    rating_system_id,
    player_id,
    event_number,
    tournament_id,
    ended_on,
    placement,
    players,
    percentile_score,
    tournament_value,
    rating_before,
    rating_change,
    rating_after
from {{ ref('int_rating_ledger') }}
order by rating_system_id, player_id, event_number
