-- Grain: one row per rating system and nation with a ranked player.

select
    strengths.* exclude (year),  -- noqa: RF02
    nations.nation_name
from {{ ref('int_nation_strengths') }} as strengths
inner join {{ ref('stg_nations') }} as nations on strengths.nation_code = nations.nation_code
where strengths.year is null
order by strengths.rating_system_id, strengths.rank, strengths.nation_code
