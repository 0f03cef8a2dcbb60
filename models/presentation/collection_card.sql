-- Grain: one row per site: the header and footer of every page.

with last_counted as (
    select arg_max(history.tournament_id, (history.ended_on, history.tournament_id)) as tournament_id
    from {{ of_default_system('rating_history') }} as history
    where history.tournament_value > 0
)

select
    settings.*,
    rating_systems.name as rating_system_name,
    rating_systems.author as rating_system_author,
    rating_systems.last_update,
    publication.seeds_sha256,
    publication.code_version,
    cast((
        select count(*) from {{ of_default_system('included_tournaments') }} as included
        where included.is_counted
    ) as integer) as tournaments_counted,
    last_counted.tournament_id as last_tournament_id,
    tournaments.name as last_tournament_name,
    publication.players as people,
    cast((select count(*) from {{ of_default_system('international_ranking') }}) as integer) as ranked_players,
    cast((select count(*) from {{ of_default_system('active_ranking') }}) as integer) as active_players,
    cast((select count(*) from {{ mart('nations') }}) as integer) as nations,
    cast((
        select count(distinct people.nation_code) from {{ mart('players') }} as people
    ) as integer) as nations_of_people,
    publication.tournaments,
    publication.results
from {{ mart('settings') }} as settings
inner join {{ mart('rating_systems') }} as rating_systems using (rating_system_id)
cross join {{ mart('publication') }} as publication
cross join last_counted
left join {{ mart('tournaments') }} as tournaments on last_counted.tournament_id = tournaments.tournament_id
