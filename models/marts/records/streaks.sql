-- Grain: one row per kind of streak and player: the longest streak, of at least two tournaments.

with events as (
    -- In the order of the ledger, also those before a ranking that the default rating system continues.
    select
        player_id,
        ended_on,
        placement,
        percentile_score,
        row_number() over (
            partition by player_id
            order by ended_on, started_on nulls last, tournament_id
        ) as event_number,
        count(*) over (partition by player_id) as last_event_number
    from {{ ref('int_results') }}
    where not is_withdrawn and percentile_score is not null
),

hits as (
    {%- for kind, is_hit in [
        ('win', 'placement = 1'), ('podium', 'placement <= 3'), ('upper half', 'percentile_score > 50')
    ] %}
        select
            *,
            '{{ kind }}' as streak_kind,
            -- Consecutive hits have the same difference, so they form one streak.
            event_number - row_number() over (partition by player_id order by event_number) as streak
        from events
        where {{ is_hit }}
        {{ 'union all' if not loop.last }}
    {%- endfor %}
),

longest as (
    -- Of streaks of equal length, keep the first.
    select
        streak_kind,
        player_id,
        cast(count(*) as integer) as tournaments,
        min(ended_on) as first_tournament_on,
        max(ended_on) as last_tournament_on,
        max(event_number) = max(last_event_number) as is_running
    from hits
    group by streak_kind, player_id, streak
    having count(*) > 1
    qualify row_number() over (
        partition by streak_kind, player_id
        order by count(*) desc, min(event_number) asc
    ) = 1
)

select
    longest.*,
    {{ names_of('players') }}
from longest
inner join {{ ref('int_players') }} as players on longest.player_id = players.player_id
order by longest.streak_kind asc, longest.tournaments desc, longest.player_id asc
