-- A pair that the rating keeper declared two people must not become one by other decisions: a -> c and b -> c.
with everywhere as (
    select
        listed_player_id,
        player_id
    from {{ ref('stg_player_aliases') }}
    where tournament_id is null
)

select
    pairs.player_id,
    pairs.other_player_id
from {{ ref('stg_player_distinctions') }} as pairs
left join everywhere as one on pairs.player_id = one.listed_player_id
left join everywhere as other on pairs.other_player_id = other.listed_player_id
where coalesce(one.player_id, pairs.player_id) = coalesce(other.player_id, pairs.other_player_id)
