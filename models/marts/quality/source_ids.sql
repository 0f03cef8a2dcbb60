-- Grain: one row per id that a source has assigned to a person or a tournament.
-- An id that documents give to two belongs to that of the first statement. The person is the one after aliases.

with stated as (
    {% for statements, id_kind, our_id, source_ids in [
        ('int_result_statements', 'player', 'player_id', 'source_player_ids'),
        ('stg_published_rankings', 'player', 'listed_player_id', 'source_player_ids'),
        ('stg_tournaments', 'tournament', 'tournament_id', 'source_tournament_ids'),
    ] -%}
        select
            document_id,
            '{{ id_kind }}' as id_kind,
            {{ our_id }} as our_id,
            unnest(string_split({{ source_ids }}, ' ')) as stated_id
        from {{ ref(statements) }}
        where {{ source_ids }} is not null
        {{ 'union all' if not loop.last }}
    {% endfor %}
),

ids as (
    select
        stated.id_kind,
        split_part(stated.stated_id, ':', 1) as source,
        substr(stated.stated_id, strpos(stated.stated_id, ':') + 1) as source_id,
        stated.our_id
    from stated
    inner join {{ ref('stg_documents') }} as documents on stated.document_id = documents.document_id
    where stated.stated_id != ''
    qualify row_number() over (
        partition by stated.id_kind, stated.stated_id
        order by documents.precedence, stated.our_id
    ) = 1
)

select
    ids.source,
    ids.id_kind,
    ids.source_id,
    case when ids.id_kind = 'player' then coalesce(aliases.player_id, ids.our_id) end as player_id,
    players.player_name,
    case when ids.id_kind = 'tournament' then ids.our_id end as tournament_id,
    tournaments.tournament_name
from ids
left join {{ ref('int_player_aliases') }} as aliases
    on ids.our_id = aliases.listed_player_id and aliases.tournament_id is null
left join {{ ref('int_players') }} as players
    on ids.id_kind = 'player' and coalesce(aliases.player_id, ids.our_id) = players.player_id
left join {{ ref('int_tournaments') }} as tournaments
    on ids.id_kind = 'tournament' and ids.our_id = tournaments.tournament_id
order by ids.source, ids.id_kind, ids.source_id
