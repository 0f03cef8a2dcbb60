-- `Bye`, `N. N.` or `Total` would be rated like anybody else.
select
    results.tournament_id,
    results.listed_name
from {{ ref('stg_results') }} as results
inner join {{ ref('ref_not_people') }} as not_people
    on lower(trim(results.listed_name)) = lower(trim(not_people.listed_as))
