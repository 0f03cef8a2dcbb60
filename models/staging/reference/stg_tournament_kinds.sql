-- Grain: one row per kind of tournament.

select
    upper(trim(kind)) as kind,
    trim(name) as kind_name,
    cast(trim(is_world_championship) as boolean) as is_world_championship
from {{ ref('ref_tournament_kinds') }}
