-- Grain: one row per person.

select
    players.player_id,
    players.first_name,
    players.last_name,
    players.nation_code,
    players.location_code,
    players.tournaments_played,
    players.first_played_on,
    players.last_played_on,
    ratings.rating,
    ratings.rank as international_rank,
    players.known_from
from {{ ref('int_players') }} as players
left join {{ ref('int_current_ratings') }} as ratings
    on
        players.player_id = ratings.player_id
        and ratings.rating_system_id = {{ default_system() }}
order by players.player_id
