-- Grain: one row per listed player id and tournament to which the alias applies (null: all tournaments).
-- The person at the end of a chain of decisions.

with resolved as (
    {{ resolved_aliases(ref('stg_player_aliases')) }}
)

select
    listed_player_id,
    tournament_id,
    person_id as player_id,
    reason
from resolved
