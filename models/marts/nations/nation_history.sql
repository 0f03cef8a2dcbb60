-- Grain: one row per rating system, year, and nation with a ranked player at the end of that year.

select
    strengths.*,
    nations.nation_name,
    -- A ranked player stays ranked, so the previous row is the previous year.
    lag(strengths.rank) over (
        partition by strengths.rating_system_id, strengths.nation_code
        order by strengths.year
    ) as year_before_rank
from {{ ref('int_nation_strengths') }} as strengths
inner join {{ ref('stg_nations') }} as nations on strengths.nation_code = nations.nation_code
where strengths.year is not null
order by strengths.rating_system_id, strengths.year, strengths.rank, strengths.nation_code
