-- The worked example of the published rules: a player rated 55 finishes 8th of 65 players, in several rounds. It uses
-- the rules in the seed, so it detects changes to the macros and to the row `dptr`.
with event as (
    select
        rating_systems.*,
        65 as players,
        4 as rounds,
        8 as placement,
        55 as rating_before,
        cast('2010-06-01' as date) as ended_on,
        false as is_world_championship,
        false as is_withdrawn
    from {{ ref('int_rating_systems') }} as rating_systems
    where rating_systems.rating_system_id = 'dptr'
),

rated as (
    select
        {{ percentile_score('players', 'placement') }} as percentile_score,
        {{ value_rule() }} as value_rule,
        {{ tournament_value('value_rule') }} as tournament_value,
        {{ rating_after('rating_before', 'percentile_score', 'tournament_value') }} as rating_after
    from event
)

-- 57.5 / 65 * 100, and 15 percent of the gap from 55 to that score, without rounding.
select
    percentile_score,
    tournament_value,
    rating_after
from rated
where
    abs(percentile_score - 88.461538461538461) > 1e-12
    or tournament_value != 15
    or abs(rating_after - 60.019230769230769) > 1e-12
