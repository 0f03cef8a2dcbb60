-- Grain: one row per tournament that a document states.

select
    tournament_id,
    nullif(trim(source_tournament_id), '') as source_tournament_id,

    trim(name) as name,
    nullif(trim(subtitle), '') as subtitle,
    upper(nullif(trim(kind), '')) as kind,
    nullif(trim(place), '') as place,
    upper(nullif(trim(nation_code), '')) as nation_code,

    players,
    rounds,
    boards,
    coefficient_1,
    coefficient_2,
    coefficient_3,

    started_on,
    ended_on,

    source_document,
    source_sha256,
    source_form,
    source_last_update
from {{ raw_rows('raw_tournaments') }}
