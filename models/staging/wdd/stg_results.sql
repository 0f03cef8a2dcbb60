-- Grain: one row per tournament and listed player.

select
    trim(tournament_id) as tournament_id,
    trim(player_id) as listed_player_id,
    nullif(trim(source_player_id), '') as source_player_id,

    trim(listed_name) as listed_name,
    trim(first_name) as first_name,
    trim(last_name) as last_name,
    upper(nullif(trim(nation_code), '')) as nation_code,
    upper(nullif(trim(location_code), '')) as location_code,

    cast(placement as integer) as placement,
    cast(published_score as decimal(9, 2)) as published_score,

    trim(listed_by) as listed_by,
    nullif(trim(game_score), '') as game_score
from {{ raw_rows('raw_results') }}
