-- Grain: one row per rating system, player and period of a valid rating.
-- To get the ratings of a day, filter: valid_from <= day and (valid_to > day or valid_to is null).

select
    periods.*,
    players.player_name
from {{ ref('int_rating_periods') }} as periods
inner join {{ ref('int_players') }} as players on periods.player_id = players.player_id
order by periods.rating_system_id, periods.player_id, periods.event_number
