-- Grain: one row per placement in a hypothetical tournament, for one player: the rating after it.
-- Starts from the player's rating at the end of a day.

with asked as (
    select
        {{ asked_system() }} as rating_system_id,
        {{ asked_player() }} as player_id,
        coalesce(
            cast(tournament_players as integer),
            error('found no number of players; expected one, as in tournament_players => 65')
        ) as players,
        cast(tournament_rounds as integer) as rounds,
        cast(championship as boolean) as is_world_championship,
        false as is_withdrawn,
        coalesce(cast(day as date), cast('infinity' as date)) as ended_on
),

event as (
    -- A player without an earlier tournament has the initial rating.
    select
        rating_systems.*,
        asked.* exclude (rating_system_id, player_id),  -- noqa: RF02
        cast(unnest(generate_series(1, asked.players)) as integer) as placement,
        coalesce(periods.rating, rating_systems.initial_rating) as rating_before,
        coalesce(periods.tournaments_counted, 0) as tournaments_counted,
        coalesce(periods.is_ranked, false) as is_ranked
    from asked
    inner join {{ mart('rating_systems') }} as rating_systems using (rating_system_id)
    -- The last period that began by that day.
    asof left join {{ mart('rating_periods') }} as periods
        on
            asked.rating_system_id = periods.rating_system_id
            and asked.player_id = periods.player_id
            and asked.ended_on >= periods.valid_from
)

select
    placement,
    {{ percentile_score('players', 'placement') }} as percentile_score,
    {{ value_rule() }} as value_rule,
    {{ tournament_value('value_rule') }} as tournament_value,
    tournaments_counted,
    is_ranked,
    rating_before,
    {{ rating_change('rating_before', 'percentile_score', 'tournament_value') }} as rating_change,
    {{ rating_after('rating_before', 'percentile_score', 'tournament_value') }} as rating_after
from event
order by placement
