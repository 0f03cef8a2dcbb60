-- Grain: one row per call: the mean difference between two lists of figures, pair by pair.
-- select * from marts.paired_difference([0.6, 0.7, 0.5], [0.5, 0.6, 0.55])
-- Pairing cancels the effect of a tournament that is easy or hard to predict for both.

with pairs as (
    select
        unnest(figures) as figure,
        unnest(reference) as reference_figure,
        generate_subscripts(figures, 1) as number
),

compared as (
    select
        number,
        figure - reference_figure as advantage
    from pairs
),

summed as (
    select
        cast(count(advantage) as integer) as compared,
        avg(advantage order by number) as advantage,
        {{ margin_95('advantage', 'number') }} as margin
    from compared
)

select
    compared,
    advantage,
    advantage - margin as advantage_low,
    advantage + margin as advantage_high,
    -- The interval is a normal approximation, which needs about 30 pairs.
    case
        when compared < 30 then 'too few'
        when advantage - margin > 0 then 'better'
        when advantage + margin < 0 then 'worse'
        else 'no clear difference'
    end as verdict
from summed
