-- Grain: one row per rating system and player, for the top fifty of the default system.

with first_fifty as (
    select
        ranking.player_id,
        ranking.first_name,
        ranking.last_name,
        ranking.nation_code,
        ranking.rank as shown_rank,
        ranking.rating as shown_rating
    from {{ of_default_system('international_ranking') }} as ranking
    where ranking.rank <= 50
)

select
    rating_systems.rating_system_id,
    first_fifty.player_id,
    first_fifty.first_name,
    first_fifty.last_name,
    first_fifty.nation_code,
    first_fifty.shown_rank,
    first_fifty.shown_rating,
    ranking.rank,
    ranking.rating
from first_fifty
cross join {{ mart('rating_systems') }} as rating_systems
left join {{ mart('international_ranking') }} as ranking
    on
        rating_systems.rating_system_id = ranking.rating_system_id
        and first_fifty.player_id = ranking.player_id
