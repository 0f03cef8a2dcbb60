-- Grain: one row per published percentile score of a tournament and person.
-- The tournament's own table goes before players' pages; of these, the first statement holds.

with page_scores as (
    select
        tournament_id,
        player_id,
        min_by(published_score, precedence) as published_score
    from {{ ref('int_result_statements') }}
    where about = 'player'
    group by tournament_id, player_id
)

select
    results.tournament_id,
    results.tournament_name,
    results.player_id,
    players.player_name,
    coalesce(results.published_score, page_scores.published_score) as published_score,
    results.percentile_score,
    results.is_corrected,
    {{ agrees_with_published(
        'results.percentile_score', 'coalesce(results.published_score, page_scores.published_score)'
    ) }} as agrees,
    results.published_score is null as is_of_players_page
from {{ ref('int_results') }} as results
inner join {{ ref('int_players') }} as players using (player_id)
left join page_scores using (tournament_id, player_id)
where not results.is_withdrawn and coalesce(results.published_score, page_scores.published_score) is not null
order by results.tournament_id asc, published_score desc, results.player_id asc
