-- Grain: one row per series and tournament that is an edition of it.

select
    trim(series_name) as series_name,
    trim(tournament_id) as tournament_id,
    trim(source) as source
from {{ ref('ref_series_tournaments') }}
