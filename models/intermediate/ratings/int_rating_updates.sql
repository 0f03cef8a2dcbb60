-- Grain: one row per rating system, player and event number.
-- Every tournament of every player, in the order in which the rules apply it. A system that continues a published
-- ranking begins after its day. The ledger recurses over these rows.

with events as (
    -- A result without a percentile score moves no rating.
    select
        tournament_values.rating_system_id,
        results.player_id,
        results.tournament_id,
        results.tournament_name,
        results.ended_on,
        results.placement,
        results.players,
        results.percentile_score,
        tournament_values.tournament_value,
        tournament_values.is_counted,
        starting_ratings.rating as starting_rating,
        starting_ratings.opened_on,
        cast(row_number() over career as integer) as event_number,
        cast(count(case when tournament_values.is_counted then 1 end) over career as integer) as tournaments_counted
    from {{ ref('int_results') }} as results
    inner join {{ ref('int_tournament_values') }} as tournament_values using (tournament_id)
    inner join {{ ref('int_starting_ratings') }} as starting_ratings using (rating_system_id, player_id)
    where
        not results.is_withdrawn
        and results.percentile_score is not null
        and tournament_values.value_rule != 'before the opening'
    window career as (
        partition by tournament_values.rating_system_id, results.player_id
        order by results.ended_on, results.started_on nulls last, results.tournament_id
        rows between unbounded preceding and current row
    )
)

select
    *,
    -- Consecutive numbers across all careers let the ledger join each step on one integer.
    cast(row_number() over (order by rating_system_id, player_id, event_number) as integer) as update_number,
    opened_on is not null or tournaments_counted > cast(is_counted as integer) as was_ranked
from events
