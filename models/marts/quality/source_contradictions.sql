-- Grain: one row per document, tournament, listed player (null: the tournament itself) and contradicted fact.
-- The fact that holds, after corrections, beside each statement that differs. A fact that only one document states is
-- no contradiction, nor are days on a player's page within those of the tournament's table, or a year with those days.

with stated as (
    {% for fact, value in {
        'kind': "coalesce(nullif(kind, 'NONE'), 'none')",
        'days': "started_on || ' - ' || ended_on",
        'players': 'cast(players as varchar)',
        'rounds': 'cast(rounds as varchar)',
        'boards': 'cast(boards as varchar)',
        'placement': 'cast(placement as varchar)',
    }.items() -%}
        select
            document_id,
            tournament_id,
            {{ 'listed_player_id' if fact == 'placement' else 'null as listed_player_id' }},
            {{ 'player_id' if fact == 'placement' else 'null as player_id' }},
            {{ 'is_doubtful' if fact == 'placement' else 'false as is_doubtful' }},
            preference,
            '{{ fact }}' as fact,
            {{ value }} as value
        from {{ ref('int_result_statements') if fact == 'placement' else ref('int_tournament_statements') }}
        where {{ 'is_refined is not true' if fact == 'days' else fact ~ ' is not null' }}
        {{ 'union all' if not loop.last }}
    {% endfor %}
),

contested as (
    select
        *,
        first_value(document_id) over in_order as holding_id
    from stated
    window in_order as (partition by tournament_id, listed_player_id, fact order by preference)
),

corrected as (
    select distinct
        tournament_id,
        coalesce(listed_player_id, '') as listed_player_id,
        case when field in ('started_on', 'ended_on') then 'days' else field end as fact
    from {{ ref('stg_corrections') }}
    where is_current and corrected_value is not null
),

compared as (
    select
        contested.tournament_id,
        tournaments.tournament_name,
        contested.player_id,
        players.player_name,
        contested.listed_player_id,
        contested.fact,
        case contested.fact
            when 'kind' then coalesce(tournaments.kind, 'none')
            when 'days' then tournaments.started_on || ' - ' || tournaments.ended_on
            when 'players' then cast(tournaments.players as varchar)
            when 'rounds' then cast(tournaments.rounds as varchar)
            when 'boards' then cast(tournaments.boards as varchar)
            when 'placement' then coalesce(cast(results.placement as varchar), 'none')
        end as value,
        holding.source_document,
        contested.value as other_value,
        other.source_document as other_document,
        other.source_form as other_form,
        case
            when corrected.fact is not null then 'correction'
            when contested.is_doubtful then 'better source'
            when holding.about != other.about then 'table'
            else coalesce({{ settled_by('holding', 'other') }}, if(other.about = 'player', 'order', 'undecided'))
        end as reason,
        holding.document_id,
        other.document_id as other_document_id
    from contested
    inner join {{ ref('int_tournaments') }} as tournaments using (tournament_id)
    left join {{ ref('int_players') }} as players on contested.player_id = players.player_id
    left join {{ ref('int_results') }} as results using (tournament_id, listed_player_id)
    -- A doubtful result is contradicted by the table that lacks the person.
    inner join {{ ref('stg_documents') }} as holding
        on
            case when contested.is_doubtful then tournaments.document_id else contested.holding_id end
            = holding.document_id
    inner join {{ ref('stg_documents') }} as other on contested.document_id = other.document_id
    left join corrected
        on
            contested.tournament_id = corrected.tournament_id
            and coalesce(contested.listed_player_id, '') = corrected.listed_player_id
            and contested.fact = corrected.fact
    where
        holding.document_id != other.document_id
        and not tournaments.is_withdrawn
        and not coalesce(results.is_withdrawn, false)
)

select *
from compared
where
    value != other_value
    and not (
        fact = 'days'
        and reason = 'table'
        and split_part(other_value, ' - ', 1) >= split_part(value, ' - ', 1)
        and split_part(other_value, ' - ', 2) <= split_part(value, ' - ', 2)
    )
order by tournament_id, player_id, listed_player_id, fact, other_document, other_document_id
