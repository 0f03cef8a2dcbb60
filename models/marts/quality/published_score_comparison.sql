-- Grain: one row per published percentile score of a tournament and person.
-- The tournament's own table goes before players' pages.

with published as (
    select
        results.* exclude (published_score),  -- noqa: RF02
        coalesce(results.published_score, (
            select max(statements.published_score)
            from {{ ref('int_further_statements') }} as statements
            where statements.tournament_id = results.tournament_id and statements.player_id = results.player_id
        )) as published_score,
        results.published_score is null as is_of_players_page
    from {{ ref('int_valid_results') }} as results
)

select
    tournament_id,
    player_id,
    published_score,
    percentile_score,
    is_corrected,
    {{ agrees_with_published('percentile_score', 'published_score') }} as agrees,
    is_of_players_page
from published
where published_score is not null
order by tournament_id asc, published_score desc, player_id asc
