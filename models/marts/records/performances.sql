-- Grain: one row per rating system, player and event number.

with places as (
    -- Who shares a place has the mean of the places that they fill together: the first of them, and half of the others.
    select
        updates.rating_system_id,
        updates.player_id,
        updates.event_number,
        updates.tournament_id,
        updates.ended_on,
        updates.placement,
        count(*) over field as listed_players,
        rank() over (field order by updates.placement asc)
        + (count(*) over field_at_placement - 1) / 2 as listed_place,
        rank() over (field order by ledger.rating_before desc)
        + (count(*) over field_at_rating - 1) / 2 as expected_place
    from {{ ref('int_rating_updates') }} as updates
    inner join {{ ref('int_rating_ledger') }} as ledger on updates.update_number = ledger.update_number
    window
        field as (partition by updates.rating_system_id, updates.tournament_id),
        field_at_placement as (partition by updates.rating_system_id, updates.tournament_id, updates.placement),
        field_at_rating as (partition by updates.rating_system_id, updates.tournament_id, ledger.rating_before)
)

select
    places.rating_system_id,
    places.player_id,
    players.first_name,
    players.last_name,
    places.event_number,
    places.tournament_id,
    places.ended_on,
    places.placement,
    cast(places.listed_players as integer) as listed_players,
    places.listed_place,
    places.expected_place,
    places.expected_place - places.listed_place as places_better,
    cast(rank() over (
        partition by places.rating_system_id
        order by places.expected_place - places.listed_place desc
    ) as integer) as rank
from places
inner join {{ ref('int_players') }} as players on places.player_id = players.player_id
order by places.rating_system_id, rank, places.player_id, places.event_number
