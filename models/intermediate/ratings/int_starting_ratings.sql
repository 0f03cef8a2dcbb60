-- Grain: one row per rating system and person.
-- The rating before the first tournament: of a person in the ranking that the system continues, the published one; of
-- everybody else the initial one.

select
    rating_systems.rating_system_id,
    players.player_id,
    coalesce(cast(published.published_rating as double), rating_systems.initial_rating) as rating,
    published.last_update as opened_on,
    max(results.ended_on) as last_played_on
from {{ ref('int_rating_systems') }} as rating_systems
cross join {{ ref('int_players') }} as players
left join {{ ref('int_published_ratings') }} as published
    on
        rating_systems.opening_ranking = published.ranking_name
        and rating_systems.opened_on = published.last_update
        and players.player_id = published.player_id
-- The tournaments up to the opening.
left join {{ ref('int_results') }} as results
    on
        published.player_id = results.player_id
        and published.last_update >= results.ended_on
        and results.percentile_score is not null
        and not results.is_withdrawn
group by
    rating_systems.rating_system_id, rating_systems.initial_rating, players.player_id, published.published_rating,
    published.last_update
