-- Grain: one row per rating system, player and event number.
-- Every tournament of every player in the order in which the rules apply it: what the ledger recurses over.

with results as (
    -- Without a percentile score there is nothing to move towards.
    select * from {{ ref('int_counted_results') }}
    where percentile_score is not null
),

tournament_values as (
    select * from {{ ref('int_tournament_values') }}
),

rating_systems as (
    select distinct rating_system_id from tournament_values
),

players as (
    select
        player_id,
        count(*) as events
    from results
    group by player_id
),

careers as (
    -- All careers stand one behind the other: how many updates are before each.
    select
        rating_systems.rating_system_id,
        players.player_id,
        cast(sum(players.events) over (
            order by rating_systems.rating_system_id, players.player_id
            rows between unbounded preceding and current row
        ) - players.events as integer) as updates_before
    from rating_systems
    cross join players
)

select
    careers.rating_system_id,
    careers.player_id,
    cast(row_number() over career as integer) as event_number,
    -- Update n + 1 of a career stands right behind update n: one integer leads the ledger from step to step.
    careers.updates_before + event_number as update_number,
    results.tournament_id,
    results.ended_on,
    results.placement,
    results.players,
    results.percentile_score,
    tournament_values.tournament_value,
    cast(count(case when tournament_values.is_counted then 1 end) over career as integer) as tournaments_counted
from results
inner join tournament_values on results.tournament_id = tournament_values.tournament_id
inner join careers
    on
        tournament_values.rating_system_id = careers.rating_system_id
        and results.player_id = careers.player_id
window career as (
    -- Every career has updates, so no two have as many before them. Text takes longer to sort.
    partition by careers.updates_before
    order by results.ended_on, results.started_on nulls last, results.tournament_id
    rows between unbounded preceding and current row
)
