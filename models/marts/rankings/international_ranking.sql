-- Grain: one row per rating system and ranked player.
{%- set is_active = 'coalesce(ratings.last_played_on >= last_updates.active_from, false)' %}

with peaks as (
    -- A peak counts on the first day it is reached.
    select
        rating_system_id,
        player_id,
        rating as peak_rating,
        valid_from as peak_on
    from {{ ref('int_rating_periods') }}
    where is_ranked
    qualify row_number() over (
        partition by rating_system_id, player_id
        order by {{ to_nine_decimals('rating') }} desc, valid_from asc
    ) = 1
),

best_years as (
    select
        rating_system_id,
        player_id,
        rank as best_year_end_rank,
        year as best_year
    from {{ ref('int_year_end_rankings') }}
    qualify row_number() over (partition by rating_system_id, player_id order by rank, year) = 1
)

select
    ratings.rating_system_id,
    ratings.rank,
    ratings.player_id,
    {{ names_of('players') }},
    ratings.rating,
    {{ is_active }} as is_active,
    case
        when {{ is_active }} then {{ rank_by('ratings.rating', within='ratings.rating_system_id, ' ~ is_active) }}
    end as active_rank,
    ratings.tournaments_counted,
    ratings.last_played_on,
    peaks.peak_rating,
    peaks.peak_on,
    best_years.best_year_end_rank,
    best_years.best_year
from {{ ref('int_current_ratings') }} as ratings
inner join {{ ref('int_ranking_days') }} as last_updates using (rating_system_id)
inner join {{ ref('int_players') }} as players using (player_id)
inner join peaks using (rating_system_id, player_id)
left join best_years using (rating_system_id, player_id)
where ratings.rank is not null
order by ratings.rating_system_id, ratings.rank, ratings.player_id
