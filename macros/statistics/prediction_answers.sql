{#
    How well a prediction tells the finishing order of each tournament: every pair of players who finished apart is one question.

    `results` has `tournament_number`, `placement` and the column `prediction`, the higher the better. A prediction that does not decide is half
    right, as a coin is. A tournament where nobody finished apart asks nothing, and has no row.

    The pairs are counted without being made: a rank less one is how many stand before somebody, so the sums of such ranks are numbers of
    pairs, and the work grows with the players of a tournament, not with their square. Within a placement the lower predictions come first, so
    that of those before somebody the better predicted ones all finished ahead. Tournaments are numbered because ids as text take twice as long
    to sort.
#}
{% macro prediction_answers(results, prediction) -%}
    select
        tournament_number,
        cast(sum(finished_ahead) as bigint) as pairs,
        cast(sum(rightly_ahead) as bigint) as concordant,
        cast(sum(ahead_among_equals) as bigint) as undecided,
        cast(sum(predicted_ahead) as bigint) as distinguished_pairs,
        (sum(rightly_ahead) + 0.5 * sum(ahead_among_equals)) / sum(finished_ahead) as concordance
    from (
        select
            tournament_number,
            rank() over (
                partition by tournament_number
                order by placement asc
            ) - 1 as finished_ahead,
            rank() over (
                partition by tournament_number
                order by {{ prediction }} desc
            ) - 1 as predicted_ahead,
            rank(order by {{ prediction }} desc) over (
                partition by tournament_number
                order by placement asc, {{ prediction }} asc
            ) - 1 as rightly_ahead,
            rank() over (
                partition by tournament_number, {{ prediction }}
                order by placement asc
            ) - 1 as ahead_among_equals
        from {{ results }}
    ) as places
    group by tournament_number
    having sum(finished_ahead) > 0
{%- endmacro %}
