-- Grain: one row per rating system, player and period of a valid rating.
-- To get the ratings of a day, filter: valid_from <= day and (valid_to > day or valid_to is null).

with periods as (
    select
        updates.rating_system_id,
        updates.player_id,
        updates.event_number,
        ledger.rating_after as rating,
        updates.tournaments_counted,
        updates.ended_on as valid_from,
        -- Last day of the player's next tournament, when this rating stops being valid.
        lead(updates.ended_on) over (
            partition by updates.rating_system_id, updates.player_id
            order by updates.event_number
        ) as valid_to
    from {{ ref('int_rating_updates') }} as updates
    inner join {{ ref('int_rating_ledger') }} as ledger on updates.update_number = ledger.update_number
)

select *
from periods
-- If two tournaments end on the same day, the rating after the first is never valid.
where valid_from < valid_to or valid_to is null
