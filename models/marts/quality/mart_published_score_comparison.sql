-- Grain: one row per percentile score that a document published.

select
    tournament_id,
    player_id,
    published_score,
    percentile_score,
    is_corrected,
    -- A published score has two decimals, so the unrounded one may be half a hundredth off, and no more.
    coalesce(abs(percentile_score - published_score) <= 0.005 + 1e-9, false) as agrees
from {{ ref('int_scored_results') }}
where published_score is not null
order by tournament_id asc, published_score desc, player_id asc
