-- Grain: one row per site: the header and footer of every page.

select
    settings.*,
    rating_systems.name as rating_system_name,
    rating_systems.author as rating_system_author,
    rating_systems.last_update,
    publication.seeds_sha256,
    publication.code_version,
    publication.last_tournament_id,
    publication.last_tournament_name,
    cast((select count(*) from {{ mart('players') }}) as integer) as people,
    cast((select count(*) from {{ of_default_system('international_ranking') }}) as integer) as ranked_players,
    cast((select count(*) from {{ of_default_system('active_ranking') }}) as integer) as active_players,
    cast((select count(*) from {{ mart('nations') }}) as integer) as nations,
    cast((select count(*) from {{ mart('tournaments') }}) as integer) as tournaments,
    cast((
        select count(*) from {{ of_default_system('included_tournaments') }} as included
        where included.is_counted
    ) as integer) as tournaments_counted,
    cast((select count(*) from {{ mart('tournament_results') }}) as integer) as results
from {{ mart('settings') }} as settings
inner join {{ mart('rating_systems') }} as rating_systems
    on settings.rating_system_id = rating_systems.rating_system_id
cross join {{ mart('publication') }} as publication
