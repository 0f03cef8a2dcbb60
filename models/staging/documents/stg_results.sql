-- Grain: one row per document, tournament and listed player.

select
    trim(document_id) as document_id,
    trim(tournament_id) as tournament_id,
    trim(player_id) as listed_player_id,
    nullif(trim(source_player_ids), '') as source_player_ids,

    trim(listed_name) as listed_name,
    nullif(trim(first_name), '') as first_name,
    nullif(trim(last_name), '') as last_name,
    upper(nullif(trim(nation_code), '')) as nation_code,
    upper(nullif(trim(location_code), '')) as location_code,

    cast(placement as integer) as placement,
    cast(published_score as decimal(9, 2)) as published_score,

    nullif(trim(game_score), '') as game_score
from {{ raw_rows('raw_results') }}
