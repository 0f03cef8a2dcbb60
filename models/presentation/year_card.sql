-- Grain: one row per year with a ranking at its end, by the default rating system.

select
    years.year,
    cast(count(*) as integer) as ranked_players,
    max(years.rating) as best_rating,
    list({
        'player_id': players.player_id,
        'first_name': players.first_name,
        'last_name': players.last_name
    } order by players.player_id) filter (where years.rank = 1) as leaders
from {{ of_default_system('yearly_ranking') }} as years
inner join {{ mart('players') }} as players on years.player_id = players.player_id
group by years.year
