-- Grain: one row per rating system, player and event number.
-- From which day to which the rating after an event was the player's rating.
-- The state of any day is one filter: valid_from <= day and (valid_to > day or valid_to is null).

select
    updates.rating_system_id,
    updates.player_id,
    updates.event_number,
    ledger.rating_after as rating,
    updates.tournaments_counted,
    updates.ended_on as valid_from,
    -- The day of the player's next event, on which this rating is no longer valid. Where two events end on one
    -- day the first has an empty period: a rating is what a day's last event left.
    lead(updates.ended_on) over (
        partition by updates.rating_system_id, updates.player_id
        order by updates.event_number
    ) as valid_to
from {{ ref('int_rating_updates') }} as updates
inner join {{ ref('int_rating_ledger') }} as ledger on updates.update_number = ledger.update_number
