-- Grain: one row per rating system, player and event number.
-- Every event of every player in the order in which the rules apply it: what the ledger recurses over.

with results as (
    select * from {{ ref('int_scored_results') }}
),

tournament_values as (
    select * from {{ ref('int_tournament_values') }}
)

select
    tournament_values.rating_system_id,
    results.player_id,
    cast(row_number() over career as integer) as event_number,
    results.tournament_id,
    results.ended_on,
    results.placement,
    results.players,
    results.percentile_score,
    tournament_values.tournament_value,
    cast(count(*) filter (where tournament_values.is_counted) over career as integer) as tournaments_counted
from results
inner join tournament_values on results.tournament_id = tournament_values.tournament_id
-- Without a percentile score there is nothing to move towards.
where results.percentile_score is not null
window career as (
    partition by tournament_values.rating_system_id, results.player_id
    order by results.ended_on, results.started_on, results.tournament_id
    rows between unbounded preceding and current row
)
