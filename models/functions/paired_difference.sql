-- Grain: one row per comparison, of which there is one: by how much one list of figures is above another, pair by pair.
-- select * from marts.paired_difference([0.6, 0.7, 0.5], [0.5, 0.6, 0.55])
-- What both share at a tournament, an easy or a hard one to predict, drops out.

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
    advantage + margin as advantage_high
from summed
