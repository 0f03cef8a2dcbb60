-- Grain: one row per tournament, series of which it is an edition, and edition of this series.

with of_series as (
    select distinct
        series_name,
        tournament_id
    from {{ mart('series_editions') }}
)

select
    of_series.tournament_id,
    editions.series_name,
    editions.tournament_id as edition_id,
    editions.tournament_name as edition_name,
    editions.ended_on,
    editions.year,
    editions.place,
    coalesce(list(
        struct_pack(editions.player_id, editions.first_name, editions.last_name) order by editions.player_id
    ) filter (where editions.player_id is not null), []) as winners
from of_series
inner join {{ mart('series_editions') }} as editions using (series_name)
group by all
