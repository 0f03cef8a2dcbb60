-- Grain: one row per series, edition and winner; an edition without a known winner has one row.

select
    editions.*,
    tournaments.tournament_name,
    tournaments.ended_on,
    cast(year(tournaments.ended_on) as integer) as year,
    tournaments.place,
    tournaments.nation_code,
    tournaments.nation_name,
    tournaments.players,
    winners.player_id,
    players.player_name,
    players.first_name,
    players.last_name
from {{ ref('stg_series_tournaments') }} as editions
inner join {{ ref('int_tournaments') }} as tournaments on editions.tournament_id = tournaments.tournament_id
left join {{ ref('int_results') }} as winners
    on editions.tournament_id = winners.tournament_id and winners.placement = 1 and not winners.is_withdrawn
left join {{ ref('int_players') }} as players on winners.player_id = players.player_id
where not tournaments.is_withdrawn
order by editions.series_name, tournaments.ended_on, editions.tournament_id, winners.player_id
