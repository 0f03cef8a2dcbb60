-- Grain: one row per rating system, year, and player ranked at the end of that year.

select
    years.rating_system_id,
    years.year,
    years.rank,
    year_before.rank as year_before_rank,
    year_before.rank - years.rank as places_gained,
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
left join {{ mart('yearly_ranking') }} as year_before
    on
        years.rating_system_id = year_before.rating_system_id
        and years.player_id = year_before.player_id
        and years.year = year_before.year + 1
