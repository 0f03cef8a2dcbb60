-- Grain: one row per tournament.

with updates as (
    select
        updates.tournament_id,
        updates.update_number,
        ledger.rating_before,
        lag(updates.tournaments_counted) over (
            partition by updates.player_id
            order by updates.event_number
        ) as tournaments_counted_before
    from {{ ref('int_rating_updates') }} as updates
    inner join {{ ref('int_rating_ledger') }} as ledger on updates.update_number = ledger.update_number
    where updates.rating_system_id = {{ default_system() }}
),

fields as (
    select
        tournament_id,
        avg(rating_before order by update_number) as mean_rating_before
    from updates
    where tournaments_counted_before > 0
    group by tournament_id
)

select
    tournaments.* exclude (are_players_corrected, is_value_corrected),  -- noqa: RF02
    fields.mean_rating_before
from {{ ref('int_tournaments') }} as tournaments
left join fields on tournaments.tournament_id = fields.tournament_id
order by tournaments.ended_on, tournaments.started_on, tournaments.tournament_id
