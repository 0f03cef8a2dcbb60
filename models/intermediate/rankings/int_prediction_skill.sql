-- Grain: one row per predictor and tournament that the default rating system counts.
-- How well figures known before a tournament predict its order.

with events as (
    -- Nothing is known about a newcomer: predict the middle.
    select
        updates.*,
        ledger.rating_before,
        coalesce(avg(updates.percentile_score) over earlier, 50) as percentile_average_before,
        updates.event_number - 1 as events_before
    from {{ ref('int_rating_updates') }} as updates
    inner join {{ ref('int_rating_ledger') }} as ledger on updates.update_number = ledger.update_number
    where updates.rating_system_id = {{ default_system() }}
    window
        earlier as (
            partition by updates.player_id
            order by updates.event_number
            rows between unbounded preceding and 1 preceding
        )
    qualify updates.is_counted
),

answers as (
    {%- for predictor, prediction in [
        ('rating', 'rating_before'),
        ('percentile average', 'percentile_average_before'),
        ('number of tournaments', 'events_before')
    ] %}
        select
            '{{ predictor }}' as predictor,
            answers.*
        from ({{ prediction_answers('events', prediction) }}) as answers
        {{ 'union all' if not loop.last }}
    {%- endfor %}
)

select
    * exclude (concordant, distinguished_pairs),
    -- Kendall's tau-b: correctly minus wrongly predicted pairs, divided by the geometric mean of two counts: pairs with
    -- different placements, and pairs with different predictions. Null if all predictions are equal.
    (2 * concordant + undecided - pairs) / nullif(sqrt(pairs) * sqrt(distinguished_pairs), 0) as tau_b
from answers
