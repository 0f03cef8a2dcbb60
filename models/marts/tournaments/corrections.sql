-- Grain: one row per correction.

with results as (
    select * from {{ ref('stg_results') }}
),

tournaments as (
    select * from {{ ref('stg_tournaments') }}
)

select
    corrections.correction_number,
    corrections.tournament_id,
    corrections.listed_player_id,
    corrections.field,
    case corrections.field
        when 'placement' then cast(results.placement as {{ dbt.type_string() }})
        when 'first_name' then results.first_name
        when 'last_name' then results.last_name
        when 'location_code' then results.location_code
        when 'name' then tournaments.name
        when 'subtitle' then tournaments.subtitle
        when 'kind' then tournaments.kind
        when 'started_on' then cast(tournaments.started_on as {{ dbt.type_string() }})
        when 'ended_on' then cast(tournaments.ended_on as {{ dbt.type_string() }})
        when 'place' then tournaments.place
        when 'nation_code'
            then
                case
                    when corrections.listed_player_id is null then tournaments.nation_code
                    else results.nation_code
                end
        when 'players' then cast(tournaments.players as {{ dbt.type_string() }})
        when 'rounds' then cast(tournaments.rounds as {{ dbt.type_string() }})
        when 'boards' then cast(tournaments.boards as {{ dbt.type_string() }})
    end as stated_value,
    corrections.corrected_value,
    corrections.reason,
    corrections.decided_on,
    corrections.is_current
from {{ ref('int_corrections') }} as corrections
inner join tournaments on corrections.tournament_id = tournaments.tournament_id
left join results
    on
        corrections.tournament_id = results.tournament_id
        and corrections.listed_player_id = results.listed_player_id
order by corrections.correction_number
