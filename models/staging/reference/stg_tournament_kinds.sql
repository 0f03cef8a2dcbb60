-- Grain: one row per kind of tournament.

select
    upper(trim(kind)) as kind,
    trim(name) as kind_name,
    is_world_championship
from {{ ref('ref_tournament_kinds') }}
