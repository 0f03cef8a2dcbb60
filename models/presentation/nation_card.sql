-- Grain: one row per nation with a person or a tournament in the collection.
-- Ranks and ratings are those of the default rating system.

with number_ones as (
    select
        nation_code,
        list(struct_pack(player_id, first_name, last_name) order by player_id) as number_ones
    from {{ of_default_system('national_ranking') }} as national
    where national_rank = 1
    group by nation_code
),

trends as (
    select
        nation_code,
        list(best_five_rating order by year) as trend
    from {{ of_default_system('nation_ranking') }} as years
    group by nation_code
)

select
    nations.*,
    ranking.rank,
    ranking.best_five_rating,
    ranking.ranked_players,
    ranking.players_in_top_100,
    number_ones.number_ones,
    trends.trend
from {{ mart('nations') }} as nations
left join {{ of_default_system('nation_ranking') }} as ranking
    on nations.nation_code = ranking.nation_code and ranking.is_current
left join number_ones on nations.nation_code = number_ones.nation_code
left join trends on nations.nation_code = trends.nation_code
