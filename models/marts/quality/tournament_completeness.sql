-- Grain: one row per tournament that is not withdrawn.
-- The listed share of the declared field, and the placements without a player.

with held_placements as (
    select
        tournament_id,
        placement,
        count(*) as players_there
    from {{ ref('int_corrected_results') }}
    where placement is not null and not is_withdrawn
    group by tournament_id, placement

    union all

    -- A placement 0 marks the start, so a gap before the first placement is found, too.
    select
        tournament_id,
        0 as placement,
        1 as players_there
    from {{ ref('int_tournaments') }}
    where players is not null
),

gaps as (
    -- Tied players occupy as many places as there are players: two at 3 occupy 3 and 4.
    select
        held.tournament_id,
        held.placement + held.players_there as gap_from,
        lead(held.placement, 1, tournaments.players + 1) over (
            partition by held.tournament_id
            order by held.placement
        ) - 1 as gap_to
    from held_placements as held
    inner join {{ ref('int_tournaments') }} as tournaments on held.tournament_id = tournaments.tournament_id
    where tournaments.players is not null
),

uncovered as (
    select
        tournament_id,
        string_agg(
            case when gap_from = gap_to then gap_from || '' else gap_from || '-' || gap_to end,
            ', ' order by gap_from
        ) as uncovered_placements
    from gaps
    where gap_from <= gap_to
    group by tournament_id
)

select
    tournaments.tournament_id,
    tournaments.name,
    tournaments.ended_on,
    tournaments.players,
    tournaments.results_listed,
    tournaments.results_with_placement,
    tournaments.results_without_placement,
    tournaments.results_missing,
    uncovered.uncovered_placements,
    -- Null without a declared number of players.
    tournaments.results_with_placement = tournaments.players as is_complete,
    tournaments.source_document
from {{ ref('int_tournaments') }} as tournaments
left join uncovered using (tournament_id)
where not tournaments.is_withdrawn
order by tournaments.ended_on, tournaments.started_on, tournaments.tournament_id
