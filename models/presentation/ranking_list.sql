-- Grain: one row per ranked player of the rating system that the collection shows first.

with numbered as (
    select
        history.player_id,
        history.event_number,
        history.rating_after,
        count(*) over (partition by history.player_id) as events
    from {{ of_default_system('rating_history') }} as history
),

-- A small picture has room for a dozen ratings: the first, the last, and every so many between them.
courses as (
    select
        player_id,
        list(rating_after order by event_number) as ratings
    from numbered
    where (events - event_number) % cast(ceil(events / 11) as bigint) = 0
    group by player_id
)

select
    ranking.rank,
    movements.earlier_rank,
    movements.places_gained,
    movements.rating_gained,
    ranking.player_id,
    ranking.first_name,
    ranking.last_name,
    ranking.nation_code,
    nations.nation_name,
    national_ranking.national_rank,
    ranking.rating,
    ranking.tournaments_counted,
    ranking.last_played_on,
    active_ranking.rank as active_rank,
    list_prepend(rating_systems.initial_rating, courses.ratings) as course
from {{ of_default_system('international_ranking') }} as ranking
inner join {{ mart('rating_systems') }} as rating_systems
    on ranking.rating_system_id = rating_systems.rating_system_id
inner join courses on ranking.player_id = courses.player_id
left join {{ of_default_system('rank_movements') }} as movements
    on ranking.player_id = movements.player_id and movements.period = 'tournament'
left join {{ mart('nations') }} as nations on ranking.nation_code = nations.nation_code
left join {{ of_default_system('national_ranking') }} as national_ranking
    on ranking.player_id = national_ranking.player_id
left join {{ of_default_system('active_ranking') }} as active_ranking on ranking.player_id = active_ranking.player_id
