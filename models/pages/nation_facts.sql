-- Grain: one row per nation that a person or a tournament of the collection has.
-- Ranks are those of the rating system that the collection shows first.

with shown as (
    select rating_system_id from {{ published('settings') }}
),

ranking as (
    select ranking.*
    from {{ published('nation_ranking') }} as ranking
    inner join shown on ranking.rating_system_id = shown.rating_system_id
),

number_ones as (
    select
        national.nation_code,
        list({
            'player_id': national.player_id,
            'first_name': national.first_name,
            'last_name': national.last_name
        } order by national.player_id) as number_ones
    from {{ published('national_ranking') }} as national
    inner join shown on national.rating_system_id = shown.rating_system_id
    where national.national_rank = 1
    group by national.nation_code
)

select
    nations.nation_code,
    nations.nation_name,
    nations.people,
    nations.tournaments,
    ranking.rank,
    ranking.best_five_rating,
    ranking.ranked_players,
    ranking.players_in_top_100,
    number_ones.number_ones
from {{ published('nations') }} as nations
left join ranking on nations.nation_code = ranking.nation_code
left join number_ones on nations.nation_code = number_ones.nation_code
