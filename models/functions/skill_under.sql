-- Grain: one row per tournament that the default rating system counts.
-- select avg(concordance) from skill_under(maximum_value => 20)
-- Rules change no tournament of the result, so results under different rules can be compared in pairs.

with predictions as (
    select history.*
    from {{ mart('history_under') }}({{ same_arguments() }}) as history
    inner join {{ of_default_system('included_tournaments') }} as included
        on history.tournament_id = included.tournament_id and included.is_counted
)

select
    answers.tournament_id,
    tournaments.tournament_name,
    tournaments.ended_on,
    answers.pairs,
    answers.undecided,
    answers.concordance
from ({{ prediction_answers('predictions', 'rating_before') }}) as answers
inner join {{ mart('tournaments') }} as tournaments on answers.tournament_id = tournaments.tournament_id
order by tournaments.ended_on, answers.tournament_id
