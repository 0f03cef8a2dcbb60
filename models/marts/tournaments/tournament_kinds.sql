-- Grain: one row per kind of tournament.

select
    kind,
    kind_name,
    is_world_championship
from {{ ref('stg_tournament_kinds') }}
order by kind
