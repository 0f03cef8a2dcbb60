-- Grain: one row per rating system, year, and player ranked at the end of that year.

select
    years.rating_system_id,
    years.year,
    years.rank,
    years.earlier_rank as year_before_rank,
    years.places_gained,
    years.year = min(years.year) over (partition by years.rating_system_id) as is_first_ranking,
    years.player_id,
    {{ player_name('players') }} as player_name,
    players.first_name,
    players.last_name,
    years.nation_code,
    nations.nation_name,
    -- Players count for their current nation.
    case
        when years.nation_code is not null
            then cast(rank() over (
                partition by years.rating_system_id, years.year, years.nation_code
                order by years.rank
            ) as integer)
    end as national_rank,
    years.rating
from {{ mart('yearly_ranking') }} as years
inner join {{ mart('players') }} as players on years.player_id = players.player_id
left join {{ mart('nations') }} as nations on years.nation_code = nations.nation_code
