-- Grain: one row per published percentile score.

select
    tournament_id,
    player_id,
    published_score,
    percentile_score,
    is_corrected,
    {{ agrees_with_published('percentile_score', 'published_score') }} as agrees
from {{ ref('int_valid_results') }}
where published_score is not null
order by tournament_id asc, published_score desc, player_id asc
