-- Grain: one row per site: the header and footer of every page.

with counted as (
    select
        cast(count(*) as integer) as tournaments_counted,
        arg_max(tournament_id, (ended_on, tournament_id)) as last_tournament_id,
        arg_max(name, (ended_on, tournament_id)) as last_tournament_name
    from {{ of_default_system('included_tournaments') }}
    where is_counted
)

select
    settings.*,
    rating_systems.name as rating_system_name,
    rating_systems.author as rating_system_author,
    rating_systems.last_update,
    publication.seeds_sha256,
    publication.code_version,
    counted.*,
    cast((select count(*) from {{ mart('players') }}) as integer) as people,
    cast((select count(*) from {{ of_default_system('international_ranking') }}) as integer) as ranked_players,
    cast((select count(*) from {{ of_default_system('active_ranking') }}) as integer) as active_players,
    cast((select count(*) from {{ mart('nations') }}) as integer) as nations,
    cast((
        select count(distinct people.nation_code) from {{ mart('players') }} as people
    ) as integer) as nations_of_people,
    cast((select count(*) from {{ mart('tournaments') }}) as integer) as tournaments,
    cast((select count(*) from {{ mart('tournament_results') }}) as integer) as results
from {{ mart('settings') }} as settings
inner join {{ mart('rating_systems') }} as rating_systems using (rating_system_id)
cross join {{ mart('publication') }} as publication
cross join counted
