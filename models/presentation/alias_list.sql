-- Grain: one row per listed player id and tournament to which the alias applies (null: all tournaments).
-- With a tournament it is a split: elsewhere the listed id is another person.

select
    aliases.*,
    tournaments.name as tournament_name
from {{ mart('player_aliases') }} as aliases
left join {{ mart('tournaments') }} as tournaments using (tournament_id)
