-- Grain: one row per listed player id and tournament to which the alias applies (null: all tournaments).
-- The person at the end of a chain of decisions: `a is b` and `b is c` make a the person c. An alias for one tournament
-- leads to a person whose alias for all tournaments applies, too. The check `faulty_aliases` refuses circles, and
-- chains of more than 17 decisions, where this ends.

with recursive chains as (
    select
        listed_player_id,
        tournament_id,
        player_id,
        reason,
        1 as decisions
    from {{ ref('stg_player_aliases') }}

    union all

    select
        chains.listed_player_id,
        chains.tournament_id,
        further.player_id,
        chains.reason,
        chains.decisions + 1 as decisions
    from chains
    inner join {{ ref('stg_player_aliases') }} as further
        on chains.player_id = further.listed_player_id and further.tournament_id is null
    where chains.decisions < 17
)

select
    listed_player_id,
    tournament_id,
    player_id,
    reason
from chains
qualify row_number() over (partition by listed_player_id, tournament_id order by decisions desc) = 1
