-- Grain: one row per id that a source has assigned to a person or a tournament.
-- The person is the one after aliases.

with ids as (
    select * from {{ ref('stg_source_ids') }}
),

aliases as (
    select * from {{ ref('int_player_aliases') }}
    where tournament_id is null
)

select
    ids.source,
    ids.kind,
    ids.source_id,
    case when ids.kind = 'player' then coalesce(aliases.player_id, ids.our_id) end as player_id,
    case when ids.kind = 'tournament' then ids.our_id end as tournament_id
from ids
left join aliases on ids.kind = 'player' and ids.our_id = aliases.listed_player_id
order by ids.source, ids.kind, ids.source_id
