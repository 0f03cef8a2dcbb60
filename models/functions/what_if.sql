-- Grain: one row per placement in a hypothetical tournament, for one player: rating and rank after it.
-- select * from marts.what_if(player => 'cyrille-sevin', tournament_players => 65, day => '2013-12-31')
-- The other players keep their ratings at the end of that day.

with placements as (
    select * from {{ mart('rating_by_placement') }}({{ same_arguments() }})
),

ratings as (
    select
        placement,
        {{ to_nine_decimals('rating_after') }} as rating
    from placements

    union all by name

    -- Placement 0: the rating before the tournament, the same for every placement.
    select
        0 as placement,
        {{ to_nine_decimals('rating_before') }} as rating
    from placements
    where placement = 1

    union all by name

    select
        player_id as other,
        {{ to_nine_decimals('rating') }} as rating
    from {{ mart('ranking_on') }}(system => system, day => day)
    where player_id != player
),

ranks as (
    -- One sorted pass: comparing every placement with every player would take minutes for a large field.
    select
        placement,
        cast(1 + count(other) over (
            order by rating desc
            groups between unbounded preceding and 1 preceding
        ) as integer) as rank
    from ratings
)

select
    placements.* exclude (tournaments_counted, is_ranked),  -- noqa: RF02
    -- Without a counted tournament or an opening rating there is no rank.
    case when placements.is_ranked then ranks_before.rank end as rank_before,
    case when placements.is_ranked or placements.tournament_value > 0 then ranks_after.rank end as rank_after
from placements
inner join ranks as ranks_before on ranks_before.placement = 0
inner join ranks as ranks_after on placements.placement = ranks_after.placement
order by placements.placement
