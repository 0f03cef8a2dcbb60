-- Grain: one row per suspicious name and tournament or published ranking that lists it.
-- Names after corrections, without withdrawn results.

with listings as (
    select
        results.player_id,
        results.first_name,
        results.last_name,
        results.tournament_id,
        results.tournament_id as listed_in,
        tournaments.source_document
    from {{ ref('int_scored_results') }} as results
    inner join {{ ref('int_tournaments') }} as tournaments on results.tournament_id = tournaments.tournament_id
    where not results.is_withdrawn

    union all

    select
        player_id,
        first_name,
        last_name,
        null as tournament_id,
        ranking_name || ', ' || last_update as listed_in,
        source_document
    from {{ ref('int_published_ratings') }}
),

nations as (
    select unnest([nation_name, nation_code]) as name from {{ ref('stg_nations') }}
    union all
    select name from {{ ref('ref_nation_names') }}
),

suspicious as (
    {{ suspicious_names('listings', ref('ref_not_people'), 'nations') }}
)

select
    player_id,
    name,
    reason,
    tournament_id,
    listed_in,
    source_document
from suspicious
order by reason, name, listed_in, player_id
