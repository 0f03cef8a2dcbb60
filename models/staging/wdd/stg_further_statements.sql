-- Grain: one row per document, tournament, listed player (null: facts of the tournament) and last update of a rating.

select
    trim(tournament_id) as tournament_id,
    nullif(trim(player_id), '') as listed_player_id,

    nullif(trim(ranking_name), '') as ranking_name,
    upper(nullif(trim(kind), '')) as kind,

    cast(players as integer) as players,
    cast(placement as integer) as placement,
    cast(published_value as decimal(9, 2)) as published_value,
    cast(published_score as decimal(9, 2)) as published_score,

    cast(last_update as date) as last_update,
    cast(started_on as date) as started_on,
    cast(ended_on as date) as ended_on,

    trim(source_document) as source_document,
    trim(source_sha256) as source_sha256,
    trim(source_form) as source_form
from {{ raw_rows('raw_further_statements') }}
