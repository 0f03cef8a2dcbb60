-- Grain: one row per publication (exactly one row).
-- A refresh passes the hashes of its seeds and code in environment variables, because dbt does not know them. With dbt
-- variables, every change of a seed would make dbt parse the whole project again.
{%- set seeds_sha256 = env_var('DPTR_SEEDS_SHA256', '') %}
{%- set code_version = env_var('DPTR_CODE_VERSION', '') %}

select
    cast({{ "'" ~ seeds_sha256 ~ "'" if seeds_sha256 else 'null' }} as varchar) as seeds_sha256,
    cast({{ "'" ~ code_version ~ "'" if code_version else 'null' }} as varchar) as code_version,
    cast(count(*) as integer) as tournaments,
    cast((select count(*) from {{ ref('int_players') }}) as integer) as people,
    cast((
        select count(*) from {{ ref('int_results') }} as results
        where not results.is_withdrawn
    ) as integer) as results,
    arg_max(tournament_id, (ended_on, started_on, tournament_id)) as last_tournament_id,
    arg_max(tournament_name, (ended_on, started_on, tournament_id)) as last_tournament_name,
    max(ended_on) as last_tournament_ended_on
from {{ ref('int_tournaments') }}
where not is_withdrawn
