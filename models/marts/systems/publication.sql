-- Grain: one row per publication (exactly one row).
-- A refresh passes the hashes of its seeds and code in environment variables, because dbt does not know them. With dbt
-- variables, every change of a seed would make dbt parse the whole project again.
{%- set seeds_sha256 = env_var('DPTR_SEEDS_SHA256', '') %}
{%- set code_version = env_var('DPTR_CODE_VERSION', '') %}

with tournaments as (
    select *
    from {{ ref('int_tournaments') }}
    where not is_withdrawn
),

last_tournament as (
    select
        tournament_id,
        name,
        ended_on
    from tournaments
    order by ended_on desc, started_on desc, tournament_id desc
    limit 1
)

select
    cast({{ "'" ~ seeds_sha256 ~ "'" if seeds_sha256 else 'null' }} as varchar) as seeds_sha256,
    cast({{ "'" ~ code_version ~ "'" if code_version else 'null' }} as varchar) as code_version,
    cast((select count(*) from tournaments) as integer) as tournaments,
    cast((select count(*) from {{ ref('int_players') }}) as integer) as players,
    cast((select count(*) from {{ ref('int_counted_results') }}) as integer) as results,
    last_tournament.tournament_id as last_tournament_id,
    last_tournament.name as last_tournament_name,
    last_tournament.ended_on as last_tournament_ended_on
from (select 1 as one) as publication
left join last_tournament on publication.one = 1
