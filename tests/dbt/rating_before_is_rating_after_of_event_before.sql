-- A rating that changes between two events would belong to no event, and nobody could explain it.
with chained as (
    select
        ledger.rating_system_id,
        ledger.player_id,
        ledger.event_number,
        ledger.rating_before,
        lag(ledger.rating_after, 1, rating_systems.initial_rating) over (
            partition by ledger.rating_system_id, ledger.player_id
            order by ledger.event_number
        ) as expected_before
    from {{ ref('int_rating_ledger') }} as ledger
    inner join {{ ref('stg_rating_systems') }} as rating_systems
        on ledger.rating_system_id = rating_systems.rating_system_id
)

select
    rating_system_id,
    player_id,
    event_number,
    rating_before,
    expected_before
from chained
where rating_before != expected_before
