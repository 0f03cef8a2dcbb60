-- Grain: one row per collection with a stored search for better rules: the latest one, tested on later tournaments.

with kept as (
    select * from {{ mart('fitted_rules') }}
    qualify row_number() over (order by searched_until desc) = 1
),

fitted as (
    select *
    from {{ mart('skill_under') }}(
        initial_rating => (select kept.initial_rating from kept),
        world_championship_value => (select kept.world_championship_value from kept),
        one_round_divisor => (select kept.one_round_divisor from kept),
        several_rounds_divisor => (select kept.several_rounds_divisor from kept),
        base_value => (select kept.base_value from kept),
        maximum_value => (select kept.maximum_value from kept)
    )
),

compared as (
    select
        published.tournament_id,
        published.ended_on,
        published.ended_on <= kept.searched_until as is_earlier,
        published.concordance as published,
        fitted.concordance as fitted
    from {{ mart('skill_under') }}() as published
    inner join fitted on published.tournament_id = fitted.tournament_id
    cross join kept
),

summed as (
    select
        count(*) filter (where is_earlier) as earlier_tournaments,
        avg(published order by ended_on, tournament_id) filter (where is_earlier) as earlier_published,
        avg(fitted order by ended_on, tournament_id) filter (where is_earlier) as earlier_fitted,
        count(*) filter (where not is_earlier) as later_tournaments,
        avg(published order by ended_on, tournament_id) filter (where not is_earlier) as later_published,
        avg(fitted order by ended_on, tournament_id) filter (where not is_earlier) as later_fitted,
        max(ended_on) as judged_until,
        coalesce(list(published order by ended_on, tournament_id) filter (where not is_earlier), []) as published,
        coalesce(list(fitted order by ended_on, tournament_id) filter (where not is_earlier), []) as fitted
    from compared
)

select
    kept.searched_until,
    kept.tried,
    kept.initial_rating,
    kept.world_championship_value,
    kept.one_round_divisor,
    kept.several_rounds_divisor,
    kept.base_value,
    kept.maximum_value,
    summed.earlier_tournaments,
    summed.earlier_published,
    summed.earlier_fitted,
    summed.later_tournaments,
    summed.later_published,
    summed.later_fitted,
    summed.judged_until,
    difference.advantage,
    difference.advantage_low,
    difference.advantage_high,
    difference.verdict
from kept
cross join summed
cross join
    lateral (
        select * from {{ mart('paired_difference') }}(summed.fitted, summed.published)
    ) as difference
