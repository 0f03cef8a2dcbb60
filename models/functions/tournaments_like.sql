-- Grain: one row per tournament within a week of some days, with the number of some people whom it lists.
-- from marts.tournaments_like(['edi-birsan', 'toby-harris'], first_day => '2013-08-23', last_day => '2013-08-25')

with held as (
    select
        cast(coalesce(first_day, last_day) as date) as started_on,
        cast(last_day as date) as ended_on
)

select
    known.tournament_id,
    known.tournament_name,
    known.started_on,
    known.ended_on,
    count(*) filter (where list_contains(people, results.player_id)) as people_in_both,  -- noqa: RF02
    {{ have_same_people('people_in_both', 'least(count(*), len(people))') }} as is_asked
from {{ mart('tournaments') }} as known
inner join held on {{ are_near('known', 'held') }}
inner join {{ mart('tournament_results') }} as results on known.tournament_id = results.tournament_id
where not known.is_withdrawn
group by all
order by people_in_both desc, known.tournament_id asc
