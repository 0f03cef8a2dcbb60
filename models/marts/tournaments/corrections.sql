-- Grain: one row per correction.

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
inner join {{ ref('stg_tournaments') }} as tournaments using (tournament_id)
left join {{ ref('stg_results') }} as results using (tournament_id, listed_player_id)
order by corrections.correction_number
