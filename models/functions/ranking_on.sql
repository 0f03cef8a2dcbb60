-- Grain: one row per player ranked on a day by a rating system, best first.
-- select * from marts.ranking_on(day => '2013-12-31')

with days as (
    select
        {{ asked_system() }} as rating_system_id,
        coalesce(cast(day as date), cast('infinity' as date)) as day
)

select
    ranking.rank,
    ranking.player_id,
    {{ names_of('players') }},
    ranking.rating,
    ranking.tournaments_counted,
    ranking.last_played_on
from ({{ rankings_on(days='days', periods=mart('rating_periods')) }}) as ranking
inner join {{ mart('players') }} as players on ranking.player_id = players.player_id
order by ranking.rank, ranking.player_id
