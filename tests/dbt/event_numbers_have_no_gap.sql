-- The recursion would stop at a gap and leave the rest of a career unrated. A tournament applied twice would move a
-- rating twice.
select
    rating_system_id,
    player_id,
    count(*) as events,
    min(event_number) as first_number,
    max(event_number) as last_number,
    count(distinct event_number) as numbers,
    count(distinct tournament_id) as tournaments,
    max(update_number) - min(update_number) + 1 as update_numbers
from {{ ref('int_rating_updates') }}
group by rating_system_id, player_id
having
    min(event_number) != 1
    or max(event_number) != count(*)
    or count(distinct event_number) != count(*)
    or count(distinct tournament_id) != count(*)
    or max(update_number) - min(update_number) + 1 != count(*)
