-- Grain: one row per tournament.

with fields as (
    select
        updates.tournament_id,
        avg(ledger.rating_before order by updates.update_number) as mean_rating_before
    from {{ ref('int_rating_updates') }} as updates
    inner join {{ ref('int_rating_ledger') }} as ledger on updates.update_number = ledger.update_number
    where updates.rating_system_id = {{ default_system() }} and updates.was_ranked
    group by updates.tournament_id
)

select
    tournaments.* exclude (are_players_corrected, is_value_corrected),  -- noqa: RF02
    fields.mean_rating_before
from {{ ref('int_tournaments') }} as tournaments
left join fields on tournaments.tournament_id = fields.tournament_id
order by tournaments.ended_on, tournaments.started_on, tournaments.tournament_id
