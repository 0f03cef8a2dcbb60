-- Grain: one row per tournament and listed player.
-- Results after the rating keeper's corrections. Correcting a name does not change an id.

with corrections as (
    select
        tournament_id,
        listed_player_id,
        {% for field in var('correctable').raw_results -%}
            max(corrected_value) filter (where field = '{{ field }}') as {{ field }},
        {% endfor -%}
        max(corrected_value) filter (where field = 'withdrawn') as withdrawn
    from {{ ref('stg_corrections') }}
    where is_current and listed_player_id is not null
    group by tournament_id, listed_player_id
)

select
    results.tournament_id,
    results.listed_player_id,
    results.source_player_id,

    results.listed_name,
    coalesce(corrections.first_name, results.first_name) as first_name,
    coalesce(corrections.last_name, results.last_name) as last_name,
    upper(coalesce(corrections.nation_code, results.nation_code)) as nation_code,
    upper(coalesce(corrections.location_code, results.location_code)) as location_code,

    case
        when corrections.placement is null then results.placement
        else cast(nullif(corrections.placement, 'none') as integer)
    end as placement,
    corrections.placement is not null as is_placement_corrected,
    results.published_score,
    results.game_score,
    results.listed_by,
    coalesce(corrections.withdrawn = 'true', false) as is_withdrawn
from {{ ref('stg_results') }} as results
left join corrections using (tournament_id, listed_player_id)
