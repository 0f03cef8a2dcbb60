-- Grain: one row per rating system, player and event number.
-- Every tournament of every player, in the order in which the rules apply it. A system that continues a published
-- ranking begins after its day. The ledger recurses over these rows.

with events as (
    -- A result without a percentile score moves no rating.
    select
        tournament_values.rating_system_id,
        tournament_values.tournament_value,
        tournament_values.is_counted,
        results.*
    from {{ ref('int_valid_results') }} as results
    inner join {{ ref('int_tournament_values') }} as tournament_values using (tournament_id)
    where results.percentile_score is not null and tournament_values.value_rule != 'before the opening'
),

players as (
    select
        rating_system_id,
        player_id,
        count(*) as events
    from events
    group by rating_system_id, player_id
),

careers as (
    -- The number of updates before each career gives consecutive update numbers across all careers.
    select
        players.rating_system_id,
        players.player_id,
        starting_ratings.opened_on,
        cast(sum(players.events) over (
            order by players.rating_system_id, players.player_id
            rows between unbounded preceding and current row
        ) - players.events as integer) as updates_before
    from players
    inner join {{ ref('int_starting_ratings') }} as starting_ratings using (rating_system_id, player_id)
)

select
    careers.rating_system_id,
    careers.player_id,
    cast(row_number() over career as integer) as event_number,
    -- Consecutive update numbers let the ledger join each step on one integer.
    careers.updates_before + event_number as update_number,
    events.tournament_id,
    events.ended_on,
    events.placement,
    events.players,
    events.percentile_score,
    events.tournament_value,
    cast(count(case when events.is_counted then 1 end) over career as integer) as tournaments_counted,
    careers.opened_on is not null or tournaments_counted > cast(events.is_counted as integer) as was_ranked
from events
inner join careers using (rating_system_id, player_id)
window career as (
    -- Every career has updates, so the offset is unique. It sorts faster than text ids.
    partition by careers.updates_before
    order by events.ended_on, events.started_on nulls last, events.tournament_id
    rows between unbounded preceding and current row
)
