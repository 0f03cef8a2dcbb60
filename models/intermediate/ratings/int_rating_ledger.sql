-- Grain: one row per rating system, player and event number.
-- The only place where a rating is computed; everything downstream reads it here.
--
-- Anchor: every player's first event, from the initial rating of the system.
-- Step:   every player's next event, all players at once, from the rating that the event before left behind.
-- End:    event numbers run from 1 without gaps, so a player drops out after the last event, and the recursion
--         ends after as many steps as the longest career has events.

with recursive updates as (
    select
        rating_system_id,
        player_id,
        event_number,
        percentile_score,
        tournament_value
    from {{ ref('int_rating_updates') }}
),

rating_systems as (
    select * from {{ ref('stg_rating_systems') }}
),

ledger as (
    select
        updates.rating_system_id,
        updates.player_id,
        updates.event_number,
        rating_systems.initial_rating as rating_before,
        rating_systems.initial_rating + {{ rating_change(
            'rating_systems.initial_rating', 'updates.percentile_score', 'updates.tournament_value'
        ) }} as rating_after
    from updates
    inner join rating_systems on updates.rating_system_id = rating_systems.rating_system_id
    where updates.event_number = 1

    union all

    select
        updates.rating_system_id,
        updates.player_id,
        updates.event_number,
        ledger.rating_after as rating_before,
        ledger.rating_after + {{ rating_change(
            'ledger.rating_after', 'updates.percentile_score', 'updates.tournament_value'
        ) }} as rating_after
    from ledger
    inner join updates
        on
            ledger.rating_system_id = updates.rating_system_id
            and ledger.player_id = updates.player_id
            and ledger.event_number + 1 = updates.event_number
)

select
    events.rating_system_id,
    events.player_id,
    events.event_number,
    events.tournament_id,
    events.ended_on,
    events.placement,
    events.players,
    events.percentile_score,
    events.tournament_value,
    events.tournaments_counted,
    ledger.rating_before,
    -- The step that the recursion took, bit for bit: after is before plus this.
    {{ rating_change(
        'ledger.rating_before', 'events.percentile_score', 'events.tournament_value'
    ) }} as rating_change,
    ledger.rating_after
from {{ ref('int_rating_updates') }} as events
inner join ledger
    on
        events.rating_system_id = ledger.rating_system_id
        and events.player_id = ledger.player_id
        and events.event_number = ledger.event_number
