-- Grain: one row per placement in a hypothetical tournament, for one player: rating and rank after it.
-- select * from marts.what_if(player => 'cyrille-sevin', tournament_players => 65, day => '2013-12-31')
-- The other players keep their ratings at the end of that day.

with placements as (
    select *
    from {{ mart('rating_by_placement') }}({{ same_arguments() }})
),

standing as (
    -- rating_before is the same for every placement.
    select {{ to_nine_decimals('min(rating_before)') }} as rating
    from placements
),

others as (
    select {{ to_nine_decimals('rating') }} as rating
    from {{ mart('ranking_on') }}(system => system, day => day)
    where player_id != player
),

ahead_before as (
    select count(*) as players_ahead
    from others
    inner join standing on others.rating > standing.rating
),

ahead_after as (
    -- One sorted pass: comparing every placement with every player would take minutes for a large field.
    select
        ratings.placement,
        count(ratings.other) over (
            order by ratings.rating desc
            groups between unbounded preceding and 1 preceding
        ) as players_ahead
    from (
        select
            placement,
            {{ to_nine_decimals('rating_after') }} as rating
        from placements

        union all by name

        select
            rating,
            1 as other
        from others
    ) as ratings
)

select
    placements.* exclude (tournaments_counted, is_ranked),  -- noqa: RF02
    -- Without a counted tournament or an opening rating there is no rank.
    case
        when placements.is_ranked then cast(1 + ahead_before.players_ahead as integer)
    end as rank_before,
    case
        when placements.is_ranked or placements.tournament_value > 0
            then cast(1 + ahead_after.players_ahead as integer)
    end as rank_after
from placements
cross join ahead_before
inner join ahead_after on placements.placement = ahead_after.placement
order by placements.placement
