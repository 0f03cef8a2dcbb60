-- The attendance of a year agrees with its tournaments: the largest field, the places declared, and their number.
with declared as (
    select
        year(ended_on) as year,
        max_by(players, players) as most_players,
        sum(players) as places_declared,
        count(*) as tournaments
    from {{ ref('tournaments') }}
    where not is_withdrawn
    group by year(ended_on)
)

select
    coalesce(declared.year, attendance.year) as year,
    declared.most_players,
    attendance.most_players as most_players_of_attendance
from declared
full outer join {{ ref('attendance') }} as attendance on declared.year = attendance.year
where
    declared.most_players is distinct from attendance.most_players
    or declared.places_declared is distinct from attendance.places_declared
    or declared.tournaments is distinct from attendance.tournaments
