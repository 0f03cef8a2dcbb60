-- Grain: one row per rating system: the worked example of the rules.
-- A player rated 55 finishes 8th of 65 players, in several rounds.

with example as (
    select
        *,
        cast(55 as double) as rating_before,
        65 as players,
        8 as placement
    from {{ mart('rating_systems') }}
)

select
    rating_system_id,
    is_default,
    rating_before,
    players,
    placement,
    {{ percentile_score('players', 'placement') }} as percentile_score,
    {{ tournament_value("'several rounds'") }} as tournament_value,
    {{ rating_change('rating_before', 'percentile_score', 'tournament_value') }} as rating_change,
    {{ rating_after('rating_before', 'percentile_score', 'tournament_value') }} as rating_after
from example
