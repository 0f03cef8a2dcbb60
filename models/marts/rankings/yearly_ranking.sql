-- Grain: one row per rating system, year, and player ranked at the end of that year.
-- Players count for their current nation. A newcomer, without an opening rating, played the first tournament that year.
{%- set is_newcomer = 'starting_ratings.opened_on is null and rankings.year = year(players.first_played_on)' %}

select
    rankings.rating_system_id,
    rankings.year,
    rankings.rank,
    rankings.player_id,
    {{ names_of('players') }},
    case
        when players.nation_code is not null
            then {{ rank_by(
                'rankings.rating', within='rankings.rating_system_id, rankings.year, players.nation_code'
            ) }}
    end as national_rank,
    case
        when {{ is_newcomer }}
            then {{ rank_by('rankings.rating', within='rankings.rating_system_id, rankings.year, ' ~ is_newcomer) }}
    end as newcomer_rank,
    rankings.rating,
    rankings.tournaments_counted,
    lag(rankings.rank) over career as earlier_rank,
    -- In Spark a window name before a minus needs brackets.
    (lag(rankings.rank) over career) - rankings.rank as places_gained,
    rankings.rating - lag(rankings.rating) over career as rating_gained
from {{ ref('int_year_end_rankings') }} as rankings
inner join {{ ref('int_players') }} as players using (player_id)
inner join {{ ref('int_starting_ratings') }} as starting_ratings using (rating_system_id, player_id)
-- A ranked player stays ranked at the end of every later year.
window career as (partition by rankings.rating_system_id, rankings.player_id order by rankings.year)
order by rankings.rating_system_id, rankings.year, rankings.rank, rankings.player_id
