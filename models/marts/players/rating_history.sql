-- Grain: one row per rating system, player and event number.
-- What every event was, with what the ledger made of it.

select
    updates.rating_system_id,
    updates.player_id,
    updates.event_number,
    updates.tournament_id,
    updates.ended_on,
    updates.placement,
    updates.players,
    updates.percentile_score,
    updates.tournament_value,
    ledger.rating_before,
    -- The step that the ledger took, bit for bit: after is before plus this.
    {{ rating_change(
        'ledger.rating_before', 'updates.percentile_score', 'updates.tournament_value'
    ) }} as rating_change,
    ledger.rating_after
from {{ ref('int_rating_updates') }} as updates
inner join {{ ref('int_rating_ledger') }} as ledger on updates.update_number = ledger.update_number
-- By system, player and event: so the updates are numbered.
order by updates.update_number
