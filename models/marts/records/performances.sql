-- Grain: one row per rating system, player and event number.

with places as (
    -- Tied players share the mean of the places that the tie occupies: its first place plus half of the others.
    select
        updates.rating_system_id,
        updates.player_id,
        updates.event_number,
        updates.tournament_id,
        updates.ended_on,
        updates.placement,
        updates.players,
        cast(count(*) over field as integer) as listed_players,
        rank() over by_placement + (count(*) over by_placement - 1) / 2 as listed_place,
        rank() over by_rating + (count(*) over by_rating - 1) / 2 as expected_place
    from {{ ref('int_rating_updates') }} as updates
    inner join {{ ref('int_rating_ledger') }} as ledger on updates.update_number = ledger.update_number
    window
        field as (partition by updates.rating_system_id, updates.tournament_id),
        -- The frame contains only peers, so one sort serves both the rank and the count.
        by_placement as (
            partition by updates.rating_system_id, updates.tournament_id
            order by updates.placement asc
            range between current row and current row
        ),
        by_rating as (
            partition by updates.rating_system_id, updates.tournament_id
            order by {{ to_nine_decimals('ledger.rating_before') }} desc
            range between current row and current row
        )
    -- Unranked players all have the initial rating, which predicts nothing.
    qualify 2 * count(*) filter (where updates.was_ranked) over field >= count(*) over field
)

select
    places.*,
    players.first_name,
    players.last_name,
    places.expected_place - places.listed_place as places_better,
    cast(rank() over (
        partition by places.rating_system_id
        order by places.expected_place - places.listed_place desc
    ) as integer) as rank
from places
inner join {{ ref('int_players') }} as players on places.player_id = players.player_id
order by places.rating_system_id, rank, places.player_id, places.event_number
