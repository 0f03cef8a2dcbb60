-- Grain: one row per person about whom a public source states facts beyond results.

select
    trim(player_id) as player_id,

    nullif(trim(first_name), '') as first_name,
    nullif(trim(last_name), '') as last_name,
    upper(nullif(trim(nation_code), '')) as nation_code,
    upper(nullif(trim(location_code), '')) as location_code,
    trim(source) as source
from {{ ref('ref_players') }}
