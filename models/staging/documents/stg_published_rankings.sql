-- Grain: one row per document, published ranking, last update and listed player.

select
    trim(document_id) as document_id,
    trim(player_id) as listed_player_id,
    nullif(trim(source_player_ids), '') as source_player_ids,

    trim(ranking_name) as ranking_name,
    trim(author) as author,
    trim(listed_name) as listed_name,
    nullif(trim(first_name), '') as first_name,
    nullif(trim(last_name), '') as last_name,
    upper(nullif(trim(nation_code), '')) as nation_code,
    upper(nullif(trim(location_code), '')) as location_code,

    cast(published_rank as integer) as published_rank,
    cast(published_rating as decimal(9, 2)) as published_rating,
    cast(published_national_rank as integer) as published_national_rank,
    cast(published_tournaments as integer) as published_tournaments,

    cast(last_update as date) as last_update
from {{ raw_rows('raw_published_rankings') }}
