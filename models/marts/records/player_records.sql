-- Grain: one row per rating system and ranked player.

with peaks as (
    -- A peak counts on the first day it is reached.
    select
        rating_system_id,
        player_id,
        max(rating) as peak_rating,
        arg_min(valid_from, (-{{ to_nine_decimals('rating') }}, valid_from)) as peak_on
    from {{ ref('int_rating_periods') }}
    where is_ranked
    group by rating_system_id, player_id
),

best_years as (
    select
        rating_system_id,
        player_id,
        min(rank) as best_year_end_rank,
        arg_min(year, (rank, year)) as best_year
    from {{ ref('int_year_end_rankings') }}
    group by rating_system_id, player_id
)

select
    peaks.*,
    players.first_name,
    players.last_name,
    players.nation_code,
    best_years.best_year_end_rank,
    best_years.best_year
from peaks
inner join {{ ref('int_players') }} as players using (player_id)
left join best_years using (rating_system_id, player_id)
order by peaks.rating_system_id asc, peaks.peak_rating desc, peaks.player_id asc
