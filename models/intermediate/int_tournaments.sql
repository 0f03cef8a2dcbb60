-- Grain: one row per tournament.
-- What it is, and how much of it is listed.

with tournaments as (
    select * from {{ ref('stg_tournaments') }}
),

kinds as (
    select * from {{ ref('stg_tournament_kinds') }}
),

listed as (
    select
        tournament_id,
        count(*) as results_listed,
        count(placement) as placements_listed
    from {{ ref('stg_results') }}
    group by tournament_id
)

select
    tournaments.tournament_id,
    tournaments.name,
    tournaments.subtitle,
    tournaments.kind,
    kinds.kind_name,
    -- A kind that is unknown, or not stated, is no World Championship.
    coalesce(kinds.is_world_championship, false) as is_world_championship,
    tournaments.started_on,
    tournaments.ended_on,
    tournaments.place,
    tournaments.nation_code,
    tournaments.players,
    tournaments.rounds,
    tournaments.boards,
    cast(coalesce(listed.results_listed, 0) as integer) as results_listed,
    -- People without a placement (a director who sat in) do not fill a place of the declared field.
    cast(tournaments.players - coalesce(listed.placements_listed, 0) as integer) as results_missing,
    tournaments.coefficient_1,
    tournaments.coefficient_2,
    tournaments.coefficient_3,
    tournaments.source_document,
    tournaments.source_sha256,
    tournaments.source_form,
    tournaments.source_last_update
from tournaments
left join kinds on tournaments.kind = kinds.kind
left join listed on tournaments.tournament_id = listed.tournament_id
