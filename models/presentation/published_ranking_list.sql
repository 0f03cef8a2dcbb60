-- Grain: one row per published ranking, its day, and person whom it lists: the published rating beside ours.

select
    comparison.ranking_name,
    comparison.last_update,
    comparison.published_rank,
    comparison.player_id,
    players.first_name,
    players.last_name,
    comparison.published_rating,
    comparison.rating,
    comparison.difference,
    comparison.tournaments_counted
from {{ mart('published_ranking_comparison') }} as comparison
inner join {{ mart('players') }} as players on comparison.player_id = players.player_id
