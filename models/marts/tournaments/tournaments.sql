-- Grain: one row per tournament.

select
    tournament_id,
    name,
    subtitle,
    kind,
    kind_name,
    is_world_championship,
    started_on,
    ended_on,
    place,
    nation_code,
    players,
    rounds,
    boards,
    results_listed,
    results_missing,
    is_withdrawn,
    is_corrected,
    coefficient_1,
    coefficient_2,
    coefficient_3,
    source_tournament_id,
    source_document,
    source_sha256,
    source_form,
    source_last_update
from {{ ref('int_tournaments') }}
order by ended_on, started_on, tournament_id
