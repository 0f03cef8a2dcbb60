-- Grain: one row per person.

select
    players.*,
    ratings.rating,
    ratings.rank as international_rank
from {{ ref('int_players') }} as players
left join {{ ref('int_current_ratings') }} as ratings
    on
        players.player_id = ratings.player_id
        and ratings.rating_system_id = {{ default_system() }}
order by players.player_id
