-- Figures that documents print, where the default rating system has others. They only warn: a variant of the rules has
-- other values, and a window of years moves past tournaments. An import refuses a document that contradicts itself.
{{ config(severity='warn') }}

select
    'percentile score' as figure,
    tournament_id,
    player_id,
    published_score as printed,
    percentile_score as here
from {{ ref('published_score_comparison') }}
where not agrees and not is_corrected and not is_of_players_page

union all

select
    'tournament value' as figure,
    tournament_id,
    null as player_id,
    published_value as printed,
    tournament_value as here
from {{ of_default_system('included_tournaments') }} as included
where not agrees and not is_value_corrected
