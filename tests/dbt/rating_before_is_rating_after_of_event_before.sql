-- A rating that changed between two tournaments would belong to neither, and nobody could explain it.
with chained as (
    select
        updates.rating_system_id,
        updates.player_id,
        updates.event_number,
        ledger.rating_before,
        lag(ledger.rating_after, 1, updates.starting_rating) over (
            partition by updates.rating_system_id, updates.player_id
            order by updates.event_number
        ) as expected_before
    from {{ ref('int_rating_updates') }} as updates
    inner join {{ ref('int_rating_ledger') }} as ledger on updates.update_number = ledger.update_number
)

select
    rating_system_id,
    player_id,
    event_number,
    rating_before,
    expected_before
from chained
where rating_before != expected_before
