-- Grain: one row per slice of the tournaments that the default rating system counts, and predictor.

with compared as (
    select
        predictions.*,
        cast(year(tournaments.ended_on) as varchar) as year,
        case
            when tournaments.players < 20 then '1-19'
            when tournaments.players < 40 then '20-39'
            when tournaments.players < 80 then '40-79'
            else '80+'
        end as tournament_size,
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
)

-- Tournaments are independent of each other, the pairs of one tournament are not. So each tournament counts once,
-- whatever its size. A margin is half the 95 % confidence interval of a mean, by the normal approximation: below about
-- thirty tournaments, the true interval is wider.
select
    slice_kind,
    slice,
    predictor,
    cast(count(*) as integer) as tournaments,
    cast(sum(pairs) as bigint) as pairs,
    sum(undecided) / sum(pairs) as undecided_share,
    {% for measure in ['concordance', 'tau_b', 'rating_advantage'] -%}
        avg({{ measure }} order by tournament_id) as {{ measure }},
        avg({{ measure }} order by tournament_id)
        - 1.96 * stddev_samp({{ measure }} order by tournament_id) / sqrt(count({{ measure }})) as {{ measure }}_low,
        avg({{ measure }} order by tournament_id)
        + 1.96 * stddev_samp({{ measure }} order by tournament_id) / sqrt(count({{ measure }})) as {{ measure }}_high
        {%- if not loop.last %},{% endif %}
        {% if loop.first -%}
            cast(count(tau_b) as integer) as tau_b_tournaments,
        {% endif -%}
    {% endfor %}
from sliced
group by slice_kind, slice, predictor
order by slice_kind, slice, predictor
