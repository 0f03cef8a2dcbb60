-- Grain: one row per year with a ranking at its end, by the default rating system.

select
    year,
    cast(count(*) as integer) as ranked_players,
    max(rating) as best_rating,
    list(struct_pack(player_id, first_name, last_name) order by player_id) filter (where rank = 1) as leaders
from {{ of_default_system('yearly_ranking') }} as years
group by year
