-- Grain: one row per placement of a rival in an imagined event; without a placement: the rival stays at home.
-- Which placement is the worst that still takes a player past the rival; none: not even the first place does.
-- select * from marts.what_it_takes('dptr', 'toby-harris', 'cyrille-sevin', 65, 4, false, '2013-12-31')

with own as (
    select
        placement,
        rating_after
    from {{ mart('rating_by_placement') }}(system, player, tournament_players, tournament_rounds, championship, on_day)
),

rival_ratings as (
    select
        placement as rival_placement,
        rating_after as rival_rating
    from {{ mart('rating_by_placement') }}(system, rival, tournament_players, tournament_rounds, championship, on_day)

    union all

    select
        cast(null as integer) as rival_placement,
        rating_before as rival_rating
    from {{ mart('rating_by_placement') }}(system, rival, tournament_players, tournament_rounds, championship, on_day)
    where placement = 1
)

select
    rival_ratings.rival_placement,
    rival_ratings.rival_rating,
    max(own.placement) as placement_needed
from rival_ratings
left join own on rival_ratings.rival_rating < own.rating_after
group by rival_ratings.rival_placement, rival_ratings.rival_rating
order by rival_ratings.rival_placement nulls first
