-- Grain: one row per document, tournament and listed player (null: facts of the tournament).
-- What players' pages and the lesser of two sources state, with the person after aliases. No rating reads it.

with statements as (
    select * from {{ ref('stg_further_statements') }}
),

aliases as (
    select * from {{ ref('int_player_aliases') }}
)

select
    statements.*,
    -- An alias for one tournament overrides one for all.
    coalesce(alias_there.player_id, alias_everywhere.player_id, statements.listed_player_id) as player_id
from statements
left join aliases as alias_there
    on
        statements.listed_player_id = alias_there.listed_player_id
        and statements.tournament_id = alias_there.tournament_id
left join aliases as alias_everywhere
    on
        statements.listed_player_id = alias_everywhere.listed_player_id
        and alias_everywhere.tournament_id is null
