-- Grain: one row per published ranking, last update and player.

select
    published.* exclude (listed_player_id, first_name, last_name, nation_code, location_code),  -- noqa: RF02
    players.first_name,
    players.last_name,
    ratings.rating,
    ratings.rating - published.published_rating as difference,
    {{ agrees_with_published('ratings.rating', 'published.published_rating') }} as agrees,
    ratings.tournaments_counted,
    case
        when ratings.tournaments_counted = 0
            then 'none of the player''s tournaments here counts: the rating is the initial one'
        else 'the published rating was made from all of the player''s tournaments, this one from those that are here'
    end as note
from {{ ref('int_published_ratings') }} as published
inner join {{ ref('int_players') }} as players on published.player_id = players.player_id
inner join {{ ref('int_current_ratings') }} as ratings
    on
        published.player_id = ratings.player_id
        and ratings.rating_system_id = {{ default_system() }}
order by published.ranking_name, published.last_update, published.published_rank, published.player_id
