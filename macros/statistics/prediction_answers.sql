{#
    How well a prediction matches the finishing order of each tournament: each pair of players with different placements
    is one question. Equal predictions count as half right, like a coin toss.

    `results` has `tournament_id`, `player_id`, `placement` and the column `prediction`, where higher is better. A
    tournament without such a pair has no row.
#}
{% macro prediction_answers(results, prediction) -%}
    select
        tournament_id,
        count(*) filter (where finish != 0) as pairs,
        count(*) filter (where finish != 0 and finish = predicted) as concordant,
        count(*) filter (where finish != 0 and predicted = 0) as undecided,
        count(*) filter (where predicted != 0) as distinguished_pairs,
        (concordant + 0.5 * undecided) / pairs as concordance
    from (
        -- 1 if the first of two players is ahead, -1 if the second is, 0 if they are level.
        select
            one.tournament_id,
            sign(other.placement - one.placement) as finish,
            sign({{ to_nine_decimals('one.' ~ prediction) }} - {{ to_nine_decimals('other.' ~ prediction) }}) as predicted
        from {{ results }} as one
        inner join {{ results }} as other
            on one.tournament_id = other.tournament_id and one.player_id < other.player_id
    ) as compared
    group by tournament_id
    having count(*) filter (where finish != 0) > 0
{%- endmacro %}
