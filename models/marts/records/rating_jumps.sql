-- Grain: one row per rating system, direction, player and event number: the hundred largest gains and losses.

with changes as (
    select
        updates.rating_system_id,
        updates.update_number,
        ledger.rating_before,
        {{ rating_change(
            'ledger.rating_before', 'updates.percentile_score', 'updates.tournament_value'
        ) }} as rating_change,
        ledger.rating_after
    from {{ ref('int_rating_updates') }} as updates
    inner join {{ ref('int_rating_ledger') }} as ledger on updates.update_number = ledger.update_number
),

largest as (
    select
        *,
        {{ rank_by('abs(rating_change)', within='rating_system_id, rating_change > 0') }} as rank
    from changes
    where {{ to_nine_decimals('rating_change') }} != 0
    qualify rank <= 100
)

select
    updates.rating_system_id,
    case when largest.rating_change > 0 then 'gain' else 'loss' end as direction,
    largest.rank,
    updates.player_id,
    players.first_name,
    players.last_name,
    updates.event_number,
    updates.tournament_id,
    updates.ended_on,
    updates.placement,
    updates.players,
    largest.rating_before,
    largest.rating_change,
    largest.rating_after
from largest
inner join {{ ref('int_rating_updates') }} as updates on largest.update_number = updates.update_number
inner join {{ ref('int_players') }} as players on updates.player_id = players.player_id
order by updates.rating_system_id, direction, largest.rank, updates.player_id, updates.event_number
