-- The recursion would stop at a gap and leave the rest of a career unrated.
select
    rating_system_id,
    player_id,
    count(*) as events,
    min(event_number) as first_number,
    max(event_number) as last_number
from {{ ref('int_rating_updates') }}
group by rating_system_id, player_id
having min(event_number) != 1 or max(event_number) != count(*)
