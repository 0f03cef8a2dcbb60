-- Grain: one row per rating system, ranked player and neighbour, from two places above the player to two below.

with numbered as (
    select
        rating_system_id,
        rank,
        player_id,
        first_name,
        last_name,
        nation_code,
        rating,
        row_number() over (partition by rating_system_id order by rank, player_id) as position
    from {{ mart('international_ranking') }}
)

select
    places.rating_system_id,
    places.player_id,
    cast(steps.places_below as integer) as places_below,
    neighbours.rank,
    neighbours.player_id as neighbour_id,
    neighbours.first_name,
    neighbours.last_name,
    neighbours.nation_code,
    neighbours.rating,
    neighbours.rating - places.rating as gap
from numbered as places
cross join generate_series(-2, 2) as steps (places_below)
inner join numbered as neighbours
    on
        places.rating_system_id = neighbours.rating_system_id
        and places.position + steps.places_below = neighbours.position
