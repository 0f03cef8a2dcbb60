-- Grain: one row per id that a source has assigned to a person or a tournament.
-- The person is the one after aliases.

select
    ids.source,
    ids.kind,
    ids.source_id,
    case when ids.kind = 'player' then coalesce(aliases.player_id, ids.our_id) end as player_id,
    case when ids.kind = 'tournament' then ids.our_id end as tournament_id
from {{ ref('stg_source_ids') }} as ids
left join {{ ref('int_player_aliases') }} as aliases
    on
        ids.kind = 'player'
        and ids.our_id = aliases.listed_player_id
        and aliases.tournament_id is null
order by ids.source, ids.kind, ids.source_id
