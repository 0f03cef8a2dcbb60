-- Grain: one row per placement of a rival in a hypothetical tournament; a null placement means that the rival does not
-- play.
-- The worst placement with which a player overtakes the rival; null if even first place does not suffice.
-- select * from marts.what_it_takes(player => 'toby-harris', rival => 'cyrille-sevin', tournament_players => 65,
--     day => '2013-12-31')

with answers as (
    {%- for who in ['player', 'rival'] %}
        select
            placement as {{ who }}_placement,
            rating_before,
            rating_after
        from
            {{ mart('rating_by_placement') }}(
                system => system,
                player => {{ who }},
                tournament_players => tournament_players,
                tournament_rounds => tournament_rounds,
                championship => championship,
                day => day
            )
        {{ 'union all by name' if not loop.last }}
    {%- endfor %}
),

ratings as (
    select
        rival_placement,
        player_placement,
        rating_after as rating
    from answers

    union all by name

    -- The rival does not play.
    select rating_before as rating
    from answers
    where rival_placement = 1
),

compared as (
    -- One sorted pass: comparing every placement with every other would take minutes for a large field.
    select
        *,
        max(player_placement) over (
            order by {{ to_nine_decimals('rating') }} desc
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
    player_placement is null
    and case
        when player = rival then error('found `' || player || '` as player and as rival; expected two players')
        else true
    end
order by rival_placement nulls first
