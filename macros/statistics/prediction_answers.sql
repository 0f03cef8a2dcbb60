{#
    How well predictions tell the finishing order of each event: every pair of players who finished apart is one question.

    `predictions` has `predictor`, `tournament_id`, `placement` and `prediction`, the higher the better. A prediction that does not decide is half
    right, as a coin is. Pairs are made within a tournament only, so their number grows with the collection, not with its square.
#}
{% macro prediction_answers(predictions) -%}
    select
        ahead.predictor,
        ahead.tournament_id,
        count(*) as pairs,
        count(*) filter (where ahead.prediction > behind.prediction) as concordant,
        count(*) filter (where ahead.prediction = behind.prediction) as undecided,
        (
            count(*) filter (where ahead.prediction > behind.prediction)
            + 0.5 * count(*) filter (where ahead.prediction = behind.prediction)
        ) / count(*) as concordance
    from {{ predictions }} as ahead
    inner join {{ predictions }} as behind
        on
            ahead.predictor = behind.predictor
            and ahead.tournament_id = behind.tournament_id
            and ahead.placement < behind.placement
    group by ahead.predictor, ahead.tournament_id
{%- endmacro %}
