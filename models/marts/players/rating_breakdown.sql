-- Grain: one row per rating system, person and event number; number 0 is the starting rating.
-- The composition of the current rating. A tournament of value v (as a share) gets the weight v, and each later
-- tournament reduces that weight by its own share:
--     weight = v * (1 - v of the next tournament) * ... * (1 - v of the last tournament)
--
-- The weights come from a product, not from the ledger's recursion, and the contributions must add up to the ledger's
-- rating: each checks the other. Every factor is between 0 and 1, so there is no cancellation. In a career of thousands
-- of tournaments, old weights go to 0. A sum of logarithms would fail on a value of 100.

with events as (
    -- Treat the initial or opening rating as a first tournament of value 100.
    select
        rating_system_id,
        player_id,
        0 as event_number,
        cast(null as string) as tournament_id,
        cast(null as string) as tournament_name,
        opened_on,
        rating as percentile_score,
        cast(100 as double) as tournament_value
    from {{ ref('int_starting_ratings') }}

    union all

    select
        rating_system_id,
        player_id,
        event_number,
        tournament_id,
        tournament_name,
        cast(null as date) as opened_on,
        percentile_score,
        tournament_value
    from {{ ref('int_rating_updates') }}
),

weighted as (
    select
        *,
        tournament_value / 100 * coalesce({{ product_over('1 - tournament_value / 100', 'later_events') }}, 1) as weight
    from events
    window
        later_events as (
            partition by rating_system_id, player_id
            order by event_number desc
            rows between unbounded preceding and 1 preceding
        )
)

select
    weighted.rating_system_id,
    weighted.player_id,
    players.player_name,
    weighted.event_number,
    weighted.tournament_id,
    weighted.tournament_name,
    weighted.opened_on,
    weighted.weight,
    weighted.percentile_score,
    weighted.weight * weighted.percentile_score as contribution
from weighted
inner join {{ ref('int_players') }} as players on weighted.player_id = players.player_id
order by weighted.rating_system_id, weighted.player_id, weighted.event_number
