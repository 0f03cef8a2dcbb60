-- Grain: one row per published percentile score of a tournament and person.
-- The tournament's own table goes before players' pages.

with of_players_pages as (
    select
        tournament_id,
        player_id,
        max(published_score) as published_score
    from {{ ref('int_further_statements') }}
    where published_score is not null
    group by tournament_id, player_id
)

select
    results.tournament_id,
    results.player_id,
    coalesce(results.published_score, of_players_pages.published_score) as published_score,
    results.percentile_score,
    results.is_corrected,
    {{ agrees_with_published(
        'results.percentile_score', 'coalesce(results.published_score, of_players_pages.published_score)'
    ) }} as agrees,
    results.published_score is null as is_of_players_page
from {{ ref('int_valid_results') }} as results
left join of_players_pages
    on
        results.tournament_id = of_players_pages.tournament_id
        and results.player_id = of_players_pages.player_id
where results.published_score is not null or of_players_pages.published_score is not null
order by results.tournament_id asc, published_score desc, results.player_id asc
