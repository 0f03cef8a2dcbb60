-- Grain: one row per rating system, player and period of a valid rating.

with ratings as (
    -- A published ranking that the system continues is the first period of its people.
    select
        rating_system_id,
        player_id,
        0 as event_number,
        rating,
        0 as tournaments_counted,
        true as is_ranked,
        last_played_on,
        opened_on as valid_from
    from {{ ref('int_starting_ratings') }}
    where opened_on is not null

    union all

    select
        updates.rating_system_id,
        updates.player_id,
        updates.event_number,
        ledger.rating_after as rating,
        updates.tournaments_counted,
        updates.was_ranked or updates.tournaments_counted > 0 as is_ranked,
        updates.ended_on as last_played_on,
        updates.ended_on as valid_from
    from {{ ref('int_rating_updates') }} as updates
    inner join {{ ref('int_rating_ledger') }} as ledger on updates.update_number = ledger.update_number
)

select
    *,
    -- Last day of the player's next tournament, when this rating stops being valid.
    lead(valid_from) over (partition by rating_system_id, player_id order by event_number) as valid_to
from ratings
-- If two tournaments end on the same day, the rating after the first is never valid.
qualify valid_from < valid_to or valid_to is null
