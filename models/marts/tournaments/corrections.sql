-- Grain: one row per correction.
-- The corrected value beside the first statement of this fact.

select
    corrections.correction_number,
    corrections.tournament_id,
    facts.tournament_name,
    corrections.listed_player_id,
    listed.player_id,
    players.player_name,
    players.first_name,
    players.last_name,
    corrections.field,
    case
        {% for field in var('correctable').raw_results -%}
            when corrections.field = '{{ field }}' and corrections.listed_player_id is not null
                then cast(results.{{ field }} as {{ dbt.type_string() }})
        {% endfor -%}
        when corrections.field = 'name' then tournaments.tournament_name
        {% for field in var('correctable').raw_tournaments if field != 'name' -%}
            when corrections.field = '{{ field }}' then cast(tournaments.{{ field }} as {{ dbt.type_string() }})
        {% endfor %}
    end as stated_value,
    corrections.corrected_value,
    corrections.reason,
    corrections.decided_on,
    corrections.is_current
from {{ ref('stg_corrections') }} as corrections
inner join {{ ref('int_tournament_statements') }} as tournaments using (tournament_id)
inner join {{ ref('int_tournaments') }} as facts using (tournament_id)
left join {{ ref('int_result_statements') }} as results using (tournament_id, listed_player_id)
left join {{ ref('int_results') }} as listed using (tournament_id, listed_player_id)
left join {{ ref('int_players') }} as players on listed.player_id = players.player_id
qualify
    row_number() over (
        partition by corrections.correction_number
        order by stated_value is null, tournaments.is_refined, results.preference, tournaments.preference
    ) = 1
order by corrections.correction_number
