-- Grain: one row per placement in an imagined event, for one player: the rating and the rank after it.
-- select * from marts.what_if('dptr', 'cyrille-sevin', 65, 4, false, '2013-12-31')
-- Everybody else stays where they were at the end of that day.

with placements as (
    select *
    from {{ mart('rating_by_placement') }}(system, player, tournament_players, tournament_rounds, championship, on_day)
),

standing as (
    -- The same in every row: the placement is what comes after.
    select min(rating_before) as rating
    from placements
),

others as (
    select rating
    from {{ mart('ranking_on') }}(system, on_day)
    where player_id != player
),

ahead_before as (
    select count(*) as players_ahead
    from others
    inner join standing on others.rating > standing.rating
),

ahead_after as (
    select
        placements.placement,
        count(others.rating) as players_ahead
    from placements
    left join others on placements.rating_after < others.rating
    group by placements.placement
)

select
    placements.placement,
    placements.percentile_score,
    placements.value_rule,
    placements.tournament_value,
    placements.rating_before,
    placements.rating_change,
    placements.rating_after,
    -- Without a counted event there is no rank.
    case
        when placements.tournaments_counted > 0 then cast(1 + ahead_before.players_ahead as integer)
    end as rank_before,
    case
        when placements.tournaments_counted > 0 or placements.tournament_value > 0
            then cast(1 + ahead_after.players_ahead as integer)
    end as rank_after
from placements
cross join ahead_before
inner join ahead_after on placements.placement = ahead_after.placement
order by placements.placement
