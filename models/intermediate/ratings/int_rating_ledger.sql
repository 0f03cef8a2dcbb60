{{ config(enabled=target.type == 'duckdb') }}
-- Grain: one row per update.
-- `int_rating_updates` has the player and the tournament of each update.
--
-- Anchor: every player's first tournament, from the player's starting rating under the rating system.
-- Step:   every player's next tournament, for all players at once, from the rating after the previous tournament. Its
--         update number is one higher. The recursion carries only the update number and two ratings: text ids and wide
--         rows are slow.
-- End:    a player drops out after the last update, because the next number is the first update of another player,
--         which is not a step. The recursion takes as many steps as the longest career has tournaments.
--
-- Both parts read the stored table: a CTE that is read twice is copied first, which takes as long as all steps
-- together.

with recursive ledger as (
    select
        update_number,
        starting_rating as rating_before,
        {{ rating_after('starting_rating', 'percentile_score', 'tournament_value') }} as rating_after
    from {{ ref('int_rating_updates') }}
    where event_number = 1

    union all

    select
        updates.update_number,
        ledger.rating_after as rating_before,
        {{ rating_after(
            'ledger.rating_after', 'updates.percentile_score', 'updates.tournament_value'
        ) }} as rating_after
    from ledger
    inner join {{ ref('int_rating_updates') }} as updates
        on ledger.update_number + 1 = updates.update_number and updates.event_number > 1
)

select * from ledger
