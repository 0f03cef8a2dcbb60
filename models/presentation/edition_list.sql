-- Grain: one row per tournament, series of which it is an edition, and edition of this series.

with editions as (
    select
        series_name,
        tournament_id,
        tournament_name,
        ended_on,
        year,
        place,
        list(struct_pack(player_id, first_name, last_name) order by player_id) filter (
            where player_id is not null
        ) as winners
    from {{ mart('series_editions') }}
    group by series_name, tournament_id, tournament_name, ended_on, year, place
)

select
    tournaments.tournament_id,
    editions.series_name,
    editions.tournament_id as edition_id,
    editions.tournament_name as edition_name,
    editions.ended_on,
    editions.year,
    editions.place,
    coalesce(editions.winners, []) as winners
from editions as tournaments
inner join editions on tournaments.series_name = editions.series_name
