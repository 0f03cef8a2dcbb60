-- Grain: one row per rating system and ranked player.

with numbered as (
    select
        rating_system_id,
        player_id,
        event_number,
        rating_after,
        count(*) over (partition by rating_system_id, player_id) as events
    from {{ mart('rating_history') }}
),

-- A sparkline has room for a dozen ratings: the starting one and up to eleven more, evenly spaced back from the last.
trends as (
    select
        rating_system_id,
        player_id,
        list(rating_after order by event_number) as ratings
    from numbered
    where (events - event_number) % cast(ceil(events / 11) as bigint) = 0
    group by rating_system_id, player_id
)

select
    ranking.*,
    movements.earlier_rank,
    movements.places_gained,
    movements.rating_gained,
    count(movements.earlier_rank) over (partition by rating_system_id) = 0 as is_first_ranking,
    national_ranking.national_rank,
    {{ is_provisional('starts') }} as is_provisional,
    list_prepend(starts.percentile_score, coalesce(trends.ratings, [])) as trend
from {{ mart('international_ranking') }} as ranking
inner join {{ mart('rating_breakdown') }} as starts using (rating_system_id, player_id)
inner join {{ mart('rank_movements') }} as movements using (rating_system_id, player_id)
left join trends using (rating_system_id, player_id)
left join {{ mart('national_ranking') }} as national_ranking using (rating_system_id, player_id)
where starts.event_number = 0 and movements.period = 'tournament'
