-- Grain: one row per document, tournament, listed player (null: the tournament itself) and contradicted fact.
-- A fact that only one of the two states is no contradiction, nor are days within the tournament's days.

with facts as (
    select
        statements.tournament_id,
        tournaments.tournament_name,
        statements.player_id,
        statements.listed_player_id,
        tournaments.source_document,
        statements.source_document as other_document,
        statements.source_form as other_form,
        unnest([  -- noqa: AL03
            struct_pack(fact := 'kind', value := tournaments.kind, other_value := statements.kind),
            struct_pack(
                fact := 'days',
                value := tournaments.started_on || ' - ' || tournaments.ended_on,
                other_value := case
                    when statements.started_on < tournaments.started_on or statements.ended_on > tournaments.ended_on
                        then statements.started_on || ' - ' || statements.ended_on
                end
            ),
            struct_pack(
                fact := 'players',
                value := cast(tournaments.players as varchar),
                other_value := cast(statements.players as varchar)
            ),
            -- A placement of somebody whom the better source does not list is contradicted, too.
            struct_pack(
                fact := 'placement',
                value := coalesce(cast(results.placement as varchar), 'none'),
                other_value := cast(statements.placement as varchar)
            )
        ], recursive := true)
    from {{ with_person(ref('stg_further_statements')) }} as statements
    inner join {{ ref('int_tournaments') }} as tournaments using (tournament_id)
    left join {{ ref('int_results') }} as results using (tournament_id, player_id)
    where not tournaments.is_withdrawn and not coalesce(results.is_withdrawn, false)
)

select
    facts.tournament_id,
    facts.tournament_name,
    facts.player_id,
    players.player_name,
    facts.listed_player_id,
    facts.fact,
    facts.value,
    facts.source_document,
    facts.other_value,
    facts.other_document,
    facts.other_form
from facts
left join {{ ref('int_players') }} as players on facts.player_id = players.player_id
where facts.value != facts.other_value
order by facts.tournament_id, facts.player_id, facts.listed_player_id, facts.fact, facts.other_document
