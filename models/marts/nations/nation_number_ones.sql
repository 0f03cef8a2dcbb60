-- Grain: one row per rating system, nation, player, and first day of a period as the nation's number one.

with periods as (
    select
        periods.*,
        players.nation_code
    from {{ ref('int_rating_periods') }} as periods
    inner join {{ ref('int_players') }} as players on periods.player_id = players.player_id
    where players.nation_code is not null
),

number_ones as (
    {{ number_ones('periods', within=['rating_system_id', 'nation_code']) }}
)

select
    number_ones.rating_system_id,
    number_ones.nation_code,
    number_ones.player_id,
    players.first_name,
    players.last_name,
    number_ones.number_one_from,
    number_ones.number_one_to
from number_ones
inner join {{ ref('int_players') }} as players on number_ones.player_id = players.player_id
order by number_ones.rating_system_id, number_ones.nation_code, number_ones.number_one_from, number_ones.player_id
