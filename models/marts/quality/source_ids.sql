-- Grain: one row per id that a source has assigned to a person or a tournament.
-- The person is the one after aliases.

select
    ids.source,
    ids.kind as id_kind,
    ids.source_id,
    case when ids.kind = 'player' then coalesce(aliases.player_id, ids.our_id) end as player_id,
    players.player_name,
    case when ids.kind = 'tournament' then ids.our_id end as tournament_id,
    tournaments.tournament_name
from {{ ref('stg_source_ids') }} as ids
left join {{ ref('int_player_aliases') }} as aliases
    on ids.our_id = aliases.listed_player_id and aliases.tournament_id is null
left join {{ ref('int_players') }} as players
    on ids.kind = 'player' and coalesce(aliases.player_id, ids.our_id) = players.player_id
left join {{ ref('int_tournaments') }} as tournaments
    on ids.kind = 'tournament' and ids.our_id = tournaments.tournament_id
order by ids.source, id_kind, ids.source_id
