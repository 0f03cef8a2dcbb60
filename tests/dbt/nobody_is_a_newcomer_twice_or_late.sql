-- A newcomer's year is the year of the first tournament that lists the player.
with firsts as (
    select
        results.player_id,
        min(year(tournaments.ended_on)) as first_year
    from {{ ref('tournament_results') }} as results
    inner join {{ ref('tournaments') }} as tournaments on results.tournament_id = tournaments.tournament_id
    where not results.is_withdrawn
    group by results.player_id
)

select
    newcomers.rating_system_id,
    newcomers.player_id,
    newcomers.year,
    firsts.first_year
from {{ ref('yearly_ranking') }} as newcomers
left join firsts on newcomers.player_id = firsts.player_id
where newcomers.newcomer_rank is not null and (newcomers.year = firsts.first_year) is not true
