{#
    How well a prediction matches the finishing order of each tournament: each pair of players with different placements
    is one question.

    `results` has `tournament_number`, `placement` and the column `prediction`, where higher is better. Equal
    predictions count as half right, like a coin toss. A tournament without such a pair has no row.

    The query counts pairs without generating them. A rank minus one is the number of rows ahead, so sums of such ranks
    are numbers of pairs, and the work grows with the players of a tournament, not with their square. Within a placement
    the lower predictions come first, so the rows ahead with a better prediction all finished ahead. Tournaments are
    numbered because sorting text ids takes twice as long.
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
                order by prediction desc
            ) - 1 as predicted_ahead,
            rank(order by prediction desc) over (
                partition by tournament_number
                order by placement asc, prediction asc
            ) - 1 as rightly_ahead,
            rank() over (
                partition by tournament_number, prediction
                order by placement asc
            ) - 1 as ahead_among_equals
        from (
            select
                tournament_number,
                placement,
                {{ to_nine_decimals(prediction) }} as prediction
            from {{ results }}
        ) as rounded
    ) as places
    group by tournament_number
    having sum(finished_ahead) > 0
{%- endmacro %}
