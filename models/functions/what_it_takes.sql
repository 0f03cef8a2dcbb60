-- Grain: one row per placement of a rival in a hypothetical tournament; a null placement means that the rival does not
-- play.
-- The worst placement with which a player overtakes the rival; null if even first place does not suffice.
-- select * from marts.what_it_takes(player => 'toby-harris', rival => 'cyrille-sevin', tournament_players => 65,
--     day => '2013-12-31')

with rival_placements as (
    select *
    from
        {{ mart('rating_by_placement') }}(
            system => system,
            player => rival,
            tournament_players => tournament_players,
            tournament_rounds => tournament_rounds,
            championship => championship,
            day => day
        )
),

ratings as (
    select
        'rival' as who,
        placement as rival_placement,
        rating_after as rating,
        null as own_placement
    from rival_placements

    union all

    select
        'rival' as who,
        null as rival_placement,
        rating_before as rating,
        null as own_placement
    from rival_placements
    where placement = 1

    union all

    select
        'player' as who,
        null as rival_placement,
        rating_after as rating,
        placement as own_placement
    from
        {{ mart('rating_by_placement') }}(
            system => system,
            player => player,
            tournament_players => tournament_players,
            tournament_rounds => tournament_rounds,
            championship => championship,
            day => day
        )
),

compared as (
    -- One sorted pass: comparing every placement with every other would take minutes for a large field.
    select
        who,
        rival_placement,
        rating,
        max(own_placement) over (
            order by rating desc
            groups between unbounded preceding and 1 preceding
        ) as placement_needed
    from ratings
)

select
    rival_placement,
    rating as rival_rating,
    -- There is no room for two players at the last placement.
    case
        when rival_placement = tournament_players and placement_needed = tournament_players
            then nullif(placement_needed - 1, 0)
        else placement_needed
    end as placement_needed
from compared
where
    who = 'rival'
    and case
        when player = rival then error('found `' || player || '` as player and as rival; expected two players')
        else true
    end
order by rival_placement nulls first
