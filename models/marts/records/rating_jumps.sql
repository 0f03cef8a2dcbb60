-- Grain: one row per rating system, direction, player and event: the hundred largest gains and losses.

with changes as (
    select
        updates.*,
        ledger.rating_before,
        {{ rating_change(
            'ledger.rating_before', 'updates.percentile_score', 'updates.tournament_value'
        ) }} as rating_change,
        ledger.rating_after
    from {{ ref('int_rating_updates') }} as updates
    inner join {{ ref('int_rating_ledger') }} as ledger on updates.update_number = ledger.update_number
),

jumps as (
    select
        *,
        case when rating_change > 0 then 'gain' else 'loss' end as direction
    from changes
    where rating_change != 0
),

hundredths as (
    -- The hundredth largest; ranking everything to find it would sort the whole history.
    select
        rating_system_id,
        direction,
        list_min(max(abs(rating_change), 100)) as smallest_listed
    from jumps
    group by rating_system_id, direction
),

largest as (
    select
        jumps.*,
        cast(rank() over (
            partition by jumps.rating_system_id, jumps.direction
            order by abs(jumps.rating_change) desc
        ) as integer) as rank
    from jumps
    inner join hundredths
        on
            jumps.rating_system_id = hundredths.rating_system_id
            and jumps.direction = hundredths.direction
            and abs(jumps.rating_change) >= hundredths.smallest_listed
)

select
    largest.rating_system_id,
    largest.direction,
    largest.rank,
    largest.player_id,
    players.first_name,
    players.last_name,
    largest.event_number,
    largest.tournament_id,
    largest.ended_on,
    largest.placement,
    largest.players,
    largest.rating_before,
    largest.rating_change,
    largest.rating_after
from largest
inner join {{ ref('int_players') }} as players on largest.player_id = players.player_id
order by largest.rating_system_id, largest.direction, largest.rank, largest.player_id, largest.event_number
