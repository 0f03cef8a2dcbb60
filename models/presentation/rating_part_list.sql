-- Grain: one row per rating system, player and part of the rating.
-- The parts are the initial or opening rating, the last twelve tournaments with a weight above 0, and all earlier ones
-- combined.

with shares as (
    select
        *,
        case
            when opened_on is not null then 'opening rating'
            when event_number = 0 then 'initial rating'
            when row_number() over (
                partition by rating_system_id, player_id
                order by event_number desc
            ) > 12 then 'earlier events'
            else 'event'
        end as part_kind
    from {{ mart('rating_breakdown') }}
    where weight > 0 or event_number = 0
),

parts as (
    select
        rating_system_id,
        player_id,
        part_kind,
        min(event_number) as first_event_number,
        cast(count(*) as integer) as events,
        case when part_kind = 'event' then any_value(tournament_id) end as tournament_id,
        sum(weight order by event_number) as weight,
        sum(contribution order by event_number) as contribution,
        any_value(opened_on) as opened_on,
        any_value(percentile_score) as percentile_score
    from shares
    group by rating_system_id, player_id, part_kind, case when part_kind = 'event' then event_number end
)

select
    parts.rating_system_id,
    parts.player_id,
    cast(row_number() over (
        partition by parts.rating_system_id, parts.player_id
        order by parts.first_event_number
    ) as integer) as number,
    parts.part_kind,
    parts.events,
    parts.tournament_id,
    tournaments.tournament_name,
    coalesce(tournaments.ended_on, parts.opened_on) as ended_on,
    -- For several tournaments, the weighted mean.
    case
        when parts.part_kind = 'earlier events' then parts.contribution / parts.weight
        else parts.percentile_score
    end as score,
    parts.weight,
    parts.contribution
from parts
left join {{ mart('tournaments') }} as tournaments on parts.tournament_id = tournaments.tournament_id
