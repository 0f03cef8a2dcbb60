-- Grain: one row per year and player ranked at its end, by the rating system that the collection shows first.

select
    years.year,
    years.rank,
    year_before.rank as year_before_rank,
    year_before.rank - years.rank as places_gained,
    years.player_id,
    players.first_name,
    players.last_name,
    years.nation_code,
    nations.nation_name,
    years.rating
from {{ of_default_system('yearly_ranking') }} as years
inner join {{ mart('players') }} as players on years.player_id = players.player_id
left join {{ mart('nations') }} as nations on years.nation_code = nations.nation_code
left join {{ of_default_system('yearly_ranking') }} as year_before
    on
        years.player_id = year_before.player_id
        and years.year = year_before.year + 1
