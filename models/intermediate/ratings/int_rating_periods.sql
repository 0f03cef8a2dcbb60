-- Grain: one row per rating system, player and event number.
-- From which day to which the rating after an event was the player's rating.
-- The state of any day is one filter: valid_from <= day and (valid_to > day or valid_to is null).

with ledger as (
    select * from {{ ref('int_rating_ledger') }}
)

select
    rating_system_id,
    player_id,
    event_number,
    rating_after as rating,
    tournaments_counted,
    ended_on as valid_from,
    -- The day of the player's next event, on which this rating is no longer valid. Where two events end on one
    -- day the first has an empty period: a rating is what a day's last event left.
    lead(ended_on) over (
        partition by rating_system_id, player_id
        order by event_number
    ) as valid_to
from ledger
