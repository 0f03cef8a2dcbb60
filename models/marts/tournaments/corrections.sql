-- Grain: one row per correction.

with results as (
    select * from {{ ref('stg_results') }}
),

tournaments as (
    select * from {{ ref('stg_tournaments') }}
)

select
    corrections.*,
    case
        {% for field in var('correctable').raw_results -%}
            when corrections.field = '{{ field }}' and corrections.listed_player_id is not null
                then cast(results.{{ field }} as {{ dbt.type_string() }})
        {% endfor -%}
        {% for field in var('correctable').raw_tournaments -%}
            when corrections.field = '{{ field }}' then cast(tournaments.{{ field }} as {{ dbt.type_string() }})
        {% endfor %}
    end as stated_value
from {{ ref('stg_corrections') }} as corrections
inner join tournaments on corrections.tournament_id = tournaments.tournament_id
left join results
    on
        corrections.tournament_id = results.tournament_id
        and corrections.listed_player_id = results.listed_player_id
order by corrections.correction_number
