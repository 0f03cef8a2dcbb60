-- Grain: one row per update.
-- The only place where a rating is computed: who and which event it is of stands in the updates.
--
-- Anchor: every player's first event, from the initial rating of the system.
-- Step:   every player's next event, all players at once, from the rating that the event before left behind. It has the
--         next update number, and nothing else goes through the recursion: ids as text and wide rows slow every step.
-- End:    behind a player's last event stands somebody else's first, which is no step: a player drops out, and the
--         recursion ends after as many steps as the longest career has events.
--
-- The updates are read where they are stored: a CTE that is read more than once is copied first, which takes as long as
-- all steps together.

with recursive rating_systems as (
    select * from {{ ref('stg_rating_systems') }}
),

ledger as (
    select
        updates.update_number,
        rating_systems.initial_rating as rating_before,
        rating_systems.initial_rating + {{ rating_change(
            'rating_systems.initial_rating', 'updates.percentile_score', 'updates.tournament_value'
        ) }} as rating_after
    from {{ ref('int_rating_updates') }} as updates
    inner join rating_systems on updates.rating_system_id = rating_systems.rating_system_id
    where updates.event_number = 1

    union all

    select
        updates.update_number,
        ledger.rating_after as rating_before,
        ledger.rating_after + {{ rating_change(
            'ledger.rating_after', 'updates.percentile_score', 'updates.tournament_value'
        ) }} as rating_after
    from ledger
    inner join {{ ref('int_rating_updates') }} as updates
        on
            ledger.update_number + 1 = updates.update_number
            and updates.event_number > 1
)

select
    update_number,
    rating_before,
    rating_after
from ledger
