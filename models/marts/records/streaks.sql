-- Grain: one row per kind of streak and player: the longest, from two events in a row.

with events as (
    -- The order of a career is the same under every rating system.
    select
        player_id,
        event_number,
        ended_on,
        placement,
        percentile_score,
        max(event_number) over (partition by player_id) as last_event_number
    from {{ ref('int_rating_updates') }}
    where rating_system_id = {{ default_system() }}
),

hits as (
    select
        *,
        'win' as kind
    from events
    where placement = 1

    union all

    select
        *,
        'podium' as kind
    from events
    where placement <= 3

    union all

    select
        *,
        'upper half' as kind
    from events
    where percentile_score > 50
),

numbered as (
    -- Hits that follow each other without a gap have the same difference: they are one streak.
    select
        *,
        event_number - row_number() over (
            partition by kind, player_id
            order by event_number
        ) as streak
    from hits
),

streaks as (
    select
        kind,
        player_id,
        count(*) as events,
        min(ended_on) as first_event_on,
        max(ended_on) as last_event_on,
        max(event_number) = max(last_event_number) as is_running
    from numbered
    group by kind, player_id, streak
    having count(*) > 1
),

longest as (
    -- Of streaks of one length the first counts.
    select *
    from streaks
    qualify row_number() over (
        partition by kind, player_id
        order by events desc, first_event_on asc, last_event_on asc
    ) = 1
)

select
    longest.kind,
    longest.player_id,
    players.first_name,
    players.last_name,
    players.nation_code,
    cast(longest.events as integer) as events,
    longest.first_event_on,
    longest.last_event_on,
    longest.is_running
from longest
inner join {{ ref('int_players') }} as players on longest.player_id = players.player_id
order by longest.kind asc, longest.events desc, longest.player_id asc
