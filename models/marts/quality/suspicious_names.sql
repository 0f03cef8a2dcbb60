-- Grain: one row per suspicious name and tournament or published ranking that lists it.
-- Names after corrections, without withdrawn results.

with listings as (
    select
        results.player_id,
        results.listed_name,
        results.first_name,
        results.last_name,
        results.tournament_id,
        results.tournament_name,
        results.tournament_name as listed_in,
        documents.source_document
    from {{ ref('int_results') }} as results
    inner join {{ ref('stg_documents') }} as documents on results.document_id = documents.document_id
    where not results.is_withdrawn

    union all by name

    select
        player_id,
        listed_name,
        first_name,
        last_name,
        ranking_name || ', ' || last_update as listed_in,
        source_document
    from {{ ref('int_published_ratings') }}
),

nations as (
    select unnest([nation_name, nation_code]) as name from {{ ref('stg_nations') }}
    union all
    select name from {{ ref('ref_nation_names') }}
)

select
    suspicious.player_id,
    players.player_name,
    suspicious.listed_name,
    suspicious.reason,
    suspicious.tournament_id,
    suspicious.tournament_name,
    suspicious.listed_in,
    suspicious.source_document
from ({{ suspicious_names('listings', ref('ref_not_people'), 'nations') }}) as suspicious
inner join {{ ref('int_players') }} as players on suspicious.player_id = players.player_id
order by suspicious.reason, suspicious.listed_name, suspicious.listed_in, suspicious.tournament_id, suspicious.player_id
