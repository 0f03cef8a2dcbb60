-- Grain: one row per rating system, player, and first day of a reign as number one.

with reigns as (
    {{ number_ones(ref('int_rating_periods'), within=['rating_system_id']) }}
)

select
    reigns.rating_system_id,
    reigns.player_id,
    players.first_name,
    players.last_name,
    players.nation_code,
    reigns.number_one_from as reigned_from,
    reigns.number_one_to as reigned_to,
    cast(reigns.number_one_to - reigns.number_one_from as integer) as days,
    reigns.highest_rating,
    reigns.was_shared
from reigns
inner join {{ ref('int_players') }} as players on reigns.player_id = players.player_id
order by reigns.rating_system_id, reigned_from, reigns.player_id
