-- Grain: one row per pair of some players, also of two who never met.
-- select * from marts.meetings_among(['edi-birsan', 'toby-harris', 'larry-peery'])

with asked as (
    {{ asked_players() }}
),

results as (
    select *
    from {{ mart('common_tournaments') }}({{ same_arguments() }})
),

met as (
    select
        own.player_id,
        others.player_id as opponent_id,
        own.placement,
        others.placement as opponent_placement,
        own.ended_on
    from results as own
    inner join results as others on own.tournament_id = others.tournament_id
),

counted as (
    select
        player_id,
        opponent_id,
        {{ meetings() }}
    from met
    group by player_id, opponent_id
)

select
    own.player_id,
    {{ player_name('players') }} as player_name,
    others.player_id as opponent_id,
    {{ player_name('opponents') }} as opponent_name,
    coalesce(counted.tournaments, 0) as tournaments,
    coalesce(counted.times_ahead, 0) as times_ahead,
    coalesce(counted.times_behind, 0) as times_behind,
    coalesce(counted.times_level, 0) as times_level,
    counted.last_met_on
from asked as own
inner join asked as others on own.player_number < others.player_number
inner join {{ mart('players') }} as players on own.player_id = players.player_id
inner join {{ mart('players') }} as opponents on others.player_id = opponents.player_id
left join counted on own.player_id = counted.player_id and others.player_id = counted.opponent_id
order by own.player_number, others.player_number
