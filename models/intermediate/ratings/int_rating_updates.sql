-- Grain: one row per rating system, player and event number.
-- Every tournament of every player, in the order in which the rules apply it. The ledger recurses over these rows.

with results as (
    -- A result without a percentile score moves no rating.
    select * from {{ ref('int_valid_results') }}
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
    -- The number of updates before each career gives consecutive update numbers across all careers.
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
    -- Consecutive update numbers let the ledger join each step on one integer.
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
    -- Every career has updates, so the offset is unique. It sorts faster than text ids.
    partition by careers.updates_before
    order by results.ended_on, results.started_on nulls last, results.tournament_id
    rows between unbounded preceding and current row
)
