-- Grain: one row per correction.

select
    corrections.*,
    tournaments.name as tournament_name,
    results.player_id,
    results.first_name,
    results.last_name
from {{ mart('corrections') }} as corrections
inner join {{ mart('tournaments') }} as tournaments using (tournament_id)
left join {{ mart('tournament_results') }} as results using (tournament_id, listed_player_id)
