-- Grain: one row per document, tournament, listed player (null: the tournament itself) and contradicted fact.
-- A fact that only one of the two states is no contradiction, nor are days within the tournament's days.

with compared as (
    select
        statements.tournament_id,
        statements.player_id,
        statements.listed_player_id,
        statements.kind as other_kind,
        statements.players as other_players,
        statements.placement as other_placement,
        case
            when statements.started_on < tournaments.started_on or statements.ended_on > tournaments.ended_on
                then statements.started_on || ' - ' || statements.ended_on
        end as other_days,
        tournaments.kind,
        tournaments.players,
        -- A placement of somebody whom the better source does not list is contradicted, too.
        case
            when statements.player_id is not null then coalesce(cast(results.placement as varchar), 'none')
        end as placement,
        tournaments.started_on || ' - ' || tournaments.ended_on as days,
        tournaments.source_document,
        statements.source_document as other_document,
        statements.source_form as other_form
    from {{ ref('int_further_statements') }} as statements
    inner join {{ ref('int_tournaments') }} as tournaments on statements.tournament_id = tournaments.tournament_id
    left join {{ ref('int_scored_results') }} as results
        on
            statements.tournament_id = results.tournament_id
            and statements.player_id = results.player_id
    where not tournaments.is_withdrawn and not coalesce(results.is_withdrawn, false)
),

facts as (
    {%- for fact in ['kind', 'days', 'players', 'placement'] %}
        select
            tournament_id,
            player_id,
            listed_player_id,
            '{{ fact }}' as fact,
            cast({{ fact }} as varchar) as value,
            source_document,
            cast(other_{{ fact }} as varchar) as other_value,
            other_document,
            other_form
        from compared
        {{ 'union all' if not loop.last }}
    {%- endfor %}
)

select *
from facts
where value != other_value
order by tournament_id, player_id, listed_player_id, fact, other_document
