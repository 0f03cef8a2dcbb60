-- Grain: one row per slice of the tournaments that the default rating system counts, and predictor.

with compared as (
    select
        predictions.tournament_id,
        predictions.predictor,
        cast(year(tournaments.ended_on) as varchar) as year,
        case
            when tournaments.players < 20 then '1-19'
            when tournaments.players < 40 then '20-39'
            when tournaments.players < 80 then '40-79'
            else '80+'
        end as tournament_size,
        predictions.pairs,
        predictions.undecided,
        predictions.concordance,
        predictions.tau_b,
        -- Pairing both predictors at each tournament cancels the tournament's own difficulty.
        case
            when predictions.predictor != 'rating' then max(case
                when predictions.predictor = 'rating' then predictions.concordance
            end) over (partition by predictions.tournament_id) - predictions.concordance
        end as rating_advantage
    from {{ ref('int_prediction_skill') }} as predictions
    inner join {{ ref('int_tournaments') }} as tournaments on predictions.tournament_id = tournaments.tournament_id
),

sliced as (
    {%- for kind, slice in [('all', "'all'"), ('year', 'year'), ('tournament size', 'tournament_size')] %}
        select
            *,
            '{{ kind }}' as slice_kind,
            {{ slice }} as slice
        from compared
        {{ 'union all' if not loop.last }}
    {%- endfor %}
),

summed as (
    -- Tournaments are independent of each other, the pairs of one tournament are not. So each tournament counts once,
    -- whatever its size. A margin is half the 95 % confidence interval of a mean, by the normal approximation: below
    -- about thirty tournaments, the true interval is wider.
    select
        slice_kind,
        slice,
        predictor,
        cast(count(*) as integer) as tournaments,
        cast(sum(pairs) as bigint) as pairs,
        sum(undecided) / sum(pairs) as undecided_share,
        avg(concordance order by tournament_id) as concordance,
        1.96 * stddev_samp(concordance order by tournament_id) / sqrt(count(*)) as concordance_margin,
        cast(count(tau_b) as integer) as tau_b_tournaments,
        avg(tau_b order by tournament_id) as tau_b,
        1.96 * stddev_samp(tau_b order by tournament_id) / sqrt(count(tau_b)) as tau_b_margin,
        avg(rating_advantage order by tournament_id) as rating_advantage,
        1.96 * stddev_samp(rating_advantage order by tournament_id) / sqrt(count(*)) as rating_advantage_margin
    from sliced
    group by slice_kind, slice, predictor
)

select
    slice_kind,
    slice,
    predictor,
    tournaments,
    pairs,
    undecided_share,
    concordance,
    concordance - concordance_margin as concordance_low,
    concordance + concordance_margin as concordance_high,
    tau_b_tournaments,
    tau_b,
    tau_b - tau_b_margin as tau_b_low,
    tau_b + tau_b_margin as tau_b_high,
    rating_advantage,
    rating_advantage - rating_advantage_margin as rating_advantage_low,
    rating_advantage + rating_advantage_margin as rating_advantage_high
from summed
order by slice_kind, slice, predictor
