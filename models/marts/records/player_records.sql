-- Grain: one row per rating system and ranked player.

with days as (
    -- The ratings with which a day ended: of two events that end on one day only the second leaves one.
    select
        rating_system_id,
        player_id,
        rating,
        valid_from
    from {{ ref('int_rating_periods') }}
    where
        tournaments_counted > 0
        and (valid_from < valid_to or valid_to is null)
),

highest as (
    select
        rating_system_id,
        player_id,
        max(rating) as peak_rating
    from days
    group by rating_system_id, player_id
),

peaks as (
    -- Reached more than once, the first time counts.
    select
        highest.rating_system_id,
        highest.player_id,
        highest.peak_rating,
        min(days.valid_from) as peak_on
    from highest
    inner join days
        on
            highest.rating_system_id = days.rating_system_id
            and highest.player_id = days.player_id
            and highest.peak_rating = days.rating
    group by highest.rating_system_id, highest.player_id, highest.peak_rating
),

year_ends as (
    select * from {{ ref('int_year_end_rankings') }}
),

best_ranks as (
    select
        rating_system_id,
        player_id,
        min(rank) as best_year_end_rank
    from year_ends
    group by rating_system_id, player_id
),

best_years as (
    select
        best_ranks.rating_system_id,
        best_ranks.player_id,
        best_ranks.best_year_end_rank,
        min(year_ends.year) as best_year
    from best_ranks
    inner join year_ends
        on
            best_ranks.rating_system_id = year_ends.rating_system_id
            and best_ranks.player_id = year_ends.player_id
            and best_ranks.best_year_end_rank = year_ends.rank
    group by best_ranks.rating_system_id, best_ranks.player_id, best_ranks.best_year_end_rank
)

select
    peaks.rating_system_id,
    peaks.player_id,
    players.first_name,
    players.last_name,
    players.nation_code,
    peaks.peak_rating,
    peaks.peak_on,
    best_years.best_year_end_rank,
    best_years.best_year
from peaks
inner join {{ ref('int_players') }} as players on peaks.player_id = players.player_id
left join best_years
    on
        peaks.rating_system_id = best_years.rating_system_id
        and peaks.player_id = best_years.player_id
order by peaks.rating_system_id asc, peaks.peak_rating desc, peaks.player_id asc
