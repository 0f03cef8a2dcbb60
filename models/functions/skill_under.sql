-- Grain: one row per tournament that the default rating system counts.
-- select avg(concordance) from marts.skill_under(maximum_value => 20)
-- Rules change no tournament of the result, so results under different rules can be compared in pairs.

with counted as (
    select
        included.tournament_id,
        included.ended_on,
        row_number() over (order by included.tournament_id) as tournament_number
    from {{ of_default_system('included_tournaments') }} as included
    where included.is_counted
),

predictions as (
    select
        counted.tournament_number,
        history.placement,
        history.rating_before
    from {{ mart('history_under') }}({{ same_arguments() }}) as history
    inner join counted on history.tournament_id = counted.tournament_id
),

answers as (
    {{ prediction_answers('predictions', 'rating_before') }}
)

select
    counted.tournament_id,
    counted.ended_on,
    answers.pairs,
    answers.undecided,
    answers.concordance
from answers
inner join counted on answers.tournament_number = counted.tournament_number
order by counted.ended_on, counted.tournament_id
