-- Grain: one row per rating system, player and event number.
-- The facts of each tournament, with its ratings from the ledger.

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
    -- The ledger's own step, bit for bit: rating_after is rating_before plus this.
    {{ rating_change(
        'ledger.rating_before', 'updates.percentile_score', 'updates.tournament_value'
    ) }} as rating_change,
    ledger.rating_after
from {{ ref('int_rating_updates') }} as updates
inner join {{ ref('int_rating_ledger') }} as ledger on updates.update_number = ledger.update_number
-- Updates are numbered by system, player and event number.
order by updates.update_number
