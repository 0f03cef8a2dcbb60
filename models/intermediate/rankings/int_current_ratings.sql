-- Grain: one row per rating system and person.
-- Rating and rank after the last tournament. A person without a counted tournament has the starting rating; without an
-- opening rating, they have no rank.

select
    rating_system_id,
    player_id,
    coalesce(last_periods.rating, starting_ratings.rating) as rating,
    coalesce(last_periods.tournaments_counted, 0) as tournaments_counted,
    last_periods.last_played_on,
    case
        when last_periods.is_ranked
            then {{ rank_by('last_periods.rating', within='rating_system_id, last_periods.is_ranked') }}
    end as rank
from {{ ref('int_starting_ratings') }} as starting_ratings
left join {{ ref('int_rating_periods') }} as last_periods using (rating_system_id, player_id)
where last_periods.valid_to is null
