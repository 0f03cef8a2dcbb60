-- A withdrawn result appears in `tournament_results` only.
with counted as (
    select
        tournament_id,
        player_id,
        'rating_history' as mart
    from {{ ref('rating_history') }}

    union all

    select
        tournament_id,
        player_id,
        'published_score_comparison' as mart
    from {{ ref('published_score_comparison') }}

    union all

    select
        records.best_tournament_id as tournament_id,
        records.player_id,
        'player_card' as mart
    from {{ ref('player_card') }} as records
    where records.best_tournament_id is not null
)

select distinct counted.*
from counted
left join {{ ref('tournament_results') }} as results
    on
        counted.tournament_id = results.tournament_id
        and counted.player_id = results.player_id
        and not results.is_withdrawn
where results.tournament_id is null
