-- Grain: one row per rating system, player and period between two of the player's own event days.
-- The state of any day is one filter: valid_from <= day and (valid_to > day or valid_to is null).

select
    rating_system_id,
    player_id,
    event_number,
    valid_from,
    valid_to,
    rating,
    tournaments_counted
from {{ ref('int_rating_periods') }}
-- Between two events that end on one day there is no day on which the first one's rating was valid.
where valid_from < valid_to or valid_to is null
order by rating_system_id, player_id, event_number
