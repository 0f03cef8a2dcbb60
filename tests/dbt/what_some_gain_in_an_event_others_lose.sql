-- Expected and listed places have the same sum, so the gains and losses of a tournament cancel out.
select
    rating_system_id,
    tournament_id,
    sum(places_better) as places_better
from {{ ref('rating_history') }}
group by rating_system_id, tournament_id
having abs(sum(places_better)) > 1e-9
