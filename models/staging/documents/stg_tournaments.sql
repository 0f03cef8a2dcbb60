-- Grain: one row per document and tournament.

select
    trim(document_id) as document_id,
    trim(tournament_id) as tournament_id,
    nullif(trim(source_tournament_ids), '') as source_tournament_ids,

    trim(name) as tournament_name,
    nullif(trim(subtitle), '') as subtitle,
    upper(nullif(trim(kind), '')) as kind,
    nullif(trim(place), '') as place,
    upper(nullif(trim(nation_code), '')) as nation_code,

    cast(players as integer) as players,
    cast(rounds as integer) as rounds,
    cast(boards as integer) as boards,
    cast(coefficient_1 as decimal(9, 2)) as coefficient_1,
    cast(coefficient_2 as decimal(9, 2)) as coefficient_2,
    cast(coefficient_3 as decimal(9, 2)) as coefficient_3,

    cast(started_on as date) as started_on,
    cast(ended_on as date) as ended_on
from {{ raw_rows('raw_tournaments') }}
