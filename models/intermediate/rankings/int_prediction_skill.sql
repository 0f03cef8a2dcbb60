-- Grain: one row per predictor and tournament that the system shown first counts.
-- How well what was known before a tournament predicts its order. The pairs of players are the most expensive rows of
-- the warehouse, which is why only the system shown first is examined.

with events as (
    -- Of somebody without a past nothing is known: the middle.
    select
        tournament_id,
        placement,
        tournament_value > 0 as is_counted,
        rating_before,
        coalesce(avg(percentile_score) over earlier, 50) as percentile_average_before,
        event_number - 1 as events_before
    from {{ ref('int_rating_ledger') }}
    where rating_system_id = {{ shown_system() }}
    window earlier as (
        partition by player_id
        order by event_number
        rows between unbounded preceding and 1 preceding
    )
),

predictions as (
    select
        'rating' as predictor,
        tournament_id,
        placement,
        rating_before as prediction
    from events
    where is_counted

    union all

    select
        'percentile average' as predictor,
        tournament_id,
        placement,
        percentile_average_before as prediction
    from events
    where is_counted

    union all

    select
        'number of events' as predictor,
        tournament_id,
        placement,
        events_before as prediction
    from events
    where is_counted
),

answers as (
    {{ prediction_answers('predictions') }}
),

equal_predictions as (
    select
        predictor,
        tournament_id,
        prediction,
        count(*) as players
    from predictions
    group by predictor, tournament_id, prediction
),

fields as (
    -- Pairs with different predictions, whether they finished apart or not: all pairs but those of equals.
    select
        predictor,
        tournament_id,
        (sum(players) * (sum(players) - 1) - sum(players * (players - 1))) / 2 as distinguished_pairs
    from equal_predictions
    group by predictor, tournament_id
)

select
    answers.predictor,
    answers.tournament_id,
    answers.pairs,
    answers.undecided,
    answers.concordance,
    -- Kendall's tau-b: pairs predicted rightly less those predicted wrongly, over the geometric mean of the pairs that
    -- finished apart and those that were predicted apart. Null where all predictions are equal: they order nothing.
    (2 * answers.concordant + answers.undecided - answers.pairs)
    / nullif(sqrt(answers.pairs) * sqrt(fields.distinguished_pairs), 0) as tau_b
from answers
inner join fields
    on
        answers.predictor = fields.predictor
        and answers.tournament_id = fields.tournament_id
