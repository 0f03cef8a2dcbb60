-- Expected and listed places are the same places, shared out twice: what somebody is better, others are worse.
select
    rating_system_id,
    tournament_id,
    sum(places_better) as places_better
from {{ ref('performances') }}
group by rating_system_id, tournament_id
having abs(sum(places_better)) > 1e-9
