-- Grain: one row per tournament.
-- Its facts, how completely its results are listed, and the placements without a player.

with listed as (
    select
        results.tournament_id,
        count(*) as results_listed,
        count(results.placement) as results_with_placement,
        string_agg(players.player_name, ', ' order by players.player_id) filter (where results.placement = 1) as winners
    from {{ ref('int_results') }} as results
    inner join {{ ref('int_players') }} as players on results.player_id = players.player_id
    where not results.is_result_withdrawn
    group by results.tournament_id
),

held_placements as (
    select
        tournament_id,
        placement,
        count(*) as players_there
    from {{ ref('int_results') }}
    where placement <= players and not is_withdrawn
    group by tournament_id, placement

    union all

    -- A placement behind the last marks the end, so a gap after the last placement is found, too.
    select
        tournament_id,
        players + 1 as placement,
        0 as players_there
    from {{ ref('int_tournaments') }}
    where players is not null and not is_withdrawn
),

gaps as (
    -- Tied players occupy as many places as there are players: two at 3 occupy 3 and 4.
    select
        tournament_id,
        lag(placement + players_there, 1, 1) over (partition by tournament_id order by placement) as gap_from,
        placement - 1 as gap_to
    from held_placements
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
),

fields as (
    select
        updates.tournament_id,
        avg(ledger.rating_before order by updates.update_number) as mean_rating_before
    from {{ ref('int_rating_updates') }} as updates
    inner join {{ ref('int_rating_ledger') }} as ledger on updates.update_number = ledger.update_number
    where updates.rating_system_id = {{ default_system() }} and updates.was_ranked
    group by updates.tournament_id
)

select
    tournaments.* exclude (document_id, are_players_corrected, is_value_corrected),  -- noqa: RF02
    cast(coalesce(listed.results_listed, 0) as integer) as results_listed,
    cast(coalesce(listed.results_with_placement, 0) as integer) as results_with_placement,
    cast(coalesce(listed.results_listed - listed.results_with_placement, 0) as integer) as results_without_placement,
    -- More people may be listed than declared: a director who sat in is not a declared player.
    cast(case
        when tournaments.players is not null
            then greatest(tournaments.players - coalesce(listed.results_listed, 0), 0)
    end as integer) as results_missing,
    uncovered.uncovered_placements,
    -- Null without a declared number of players.
    coalesce(listed.results_with_placement, 0) = tournaments.players as is_complete,
    listed.winners,
    fields.mean_rating_before
from {{ ref('int_tournaments') }} as tournaments
left join listed on tournaments.tournament_id = listed.tournament_id
left join uncovered on tournaments.tournament_id = uncovered.tournament_id
left join fields on tournaments.tournament_id = fields.tournament_id
order by tournaments.ended_on, tournaments.started_on, tournaments.tournament_id
