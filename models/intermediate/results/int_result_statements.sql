-- Grain: one row per document, tournament and listed player.
-- What each document states, with the person after aliases. `preference` is the order in which statements hold.

with stated as (
    select *  -- noqa: RF02
    from {{ ref('stg_results') }}
    inner join {{ ref('stg_documents') }} using (document_id)
),

of_tables as (
    -- Only the sources that know each other's ids: 1, the better one, and 3, the lesser one.
    select * from stated
    where about = 'tournament' and source_rank != 2
),

doubtful as (
    -- The lesser source lists somebody at the placement of somebody whom it lacks: one person under two names.
    select distinct
        lesser.document_id,
        lesser.tournament_id,
        lesser.listed_player_id
    from of_tables as lesser
    inner join of_tables as better using (tournament_id, placement)
    left join of_tables as lacked
        on
            lesser.document_id = lacked.document_id
            and lesser.tournament_id = lacked.tournament_id
            and better.listed_player_id = lacked.listed_player_id
    left join of_tables as known
        on
            lesser.tournament_id = known.tournament_id
            and lesser.listed_player_id = known.listed_player_id
            and lesser.source_rank > known.source_rank
    where lesser.source_rank > better.source_rank and lacked.document_id is null and known.document_id is null
)

select
    stated.*,
    -- An alias for one tournament overrides one for all.
    coalesce(alias_there.player_id, alias_everywhere.player_id, stated.listed_player_id) as player_id,
    doubtful.document_id is not null as is_doubtful,
    cast(row_number() over (
        partition by stated.tournament_id, stated.listed_player_id
        order by doubtful.document_id is not null, stated.precedence
    ) as integer) as preference
from stated
left join doubtful using (document_id, tournament_id, listed_player_id)
left join {{ ref('int_player_aliases') }} as alias_there using (tournament_id, listed_player_id)
left join {{ ref('int_player_aliases') }} as alias_everywhere
    on stated.listed_player_id = alias_everywhere.listed_player_id and alias_everywhere.tournament_id is null
