-- Grain: one row per rating system, earlier day, and ranked player.
-- Three earlier days per system: one day, one month and one year before the last day of its last tournament.

with earlier_days as (
    select
        last_updates.rating_system_id,
        compared.period,
        cast(last_updates.last_update - compared.distance as date) as day
    from {{ ref('int_ranking_days') }} as last_updates
    cross join (
        values
        ('tournament', interval '1' day),
        ('month', interval '1' month),
        ('year', interval '1' year)
    ) as compared (period, distance)
),

earlier as (
    {{ rankings_on(days='earlier_days', periods=ref('int_rating_periods')) }}
)

select
    ratings.rating_system_id,
    earlier_days.period,
    earlier_days.day as compared_on,
    ratings.player_id,
    players.player_name,
    ratings.rank,
    earlier.rank as earlier_rank,
    earlier.rank - ratings.rank as places_gained,
    ratings.rating,
    earlier.rating as earlier_rating,
    ratings.rating - earlier.rating as rating_gained
from {{ ref('int_current_ratings') }} as ratings
inner join {{ ref('int_players') }} as players using (player_id)
inner join earlier_days using (rating_system_id)
left join earlier using (rating_system_id, day, player_id)
where ratings.rank is not null
order by ratings.rating_system_id, earlier_days.period, ratings.rank, ratings.player_id
