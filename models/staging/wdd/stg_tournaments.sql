-- Grain: one row per tournament stated by a document.

select
    trim(tournament_id) as tournament_id,
    nullif(trim(source_tournament_id), '') as source_tournament_id,

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
    cast(ended_on as date) as ended_on,

    trim(source_document) as source_document,
    trim(source_sha256) as source_sha256,
    trim(source_form) as source_form,
    cast(source_last_update as date) as source_last_update
from {{ raw_rows('raw_tournaments') }}
