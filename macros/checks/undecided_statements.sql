{#
    Contradictions of two tables of a tournament, or of two documents with one published ranking, if neither replaces
    the other, the sources do not settle it (`settled_by`), and no correction decides. The fault is at the statement
    that does not hold. A contradiction with a player's page is no fault.
#}
{% macro undecided_statements() -%}
    select
        'undecided' as code,
        case when fact = 'placement' then 'raw_results' else 'raw_tournaments' end as seed,
        concat_ws(' ', other_document_id, tournament_id, listed_player_id) as row_key,
        fact as column_name,
        other_value as value,
        value as other,
        document_id as further
    from {{ ref('source_contradictions') }}
    where reason = 'undecided'

    {% for fact in ['published_rank', 'published_rating'] %}
    union all

    select
    {{ fault(
        'undecided_rating', 'raw_published_rankings',
        ['stated.document_id', 'stated.ranking_name', 'stated.last_update', 'stated.listed_player_id'], fact,
        'stated.' ~ fact, 'holding.' ~ fact, 'holding.document_id'
    ) }}
    from {{ ref('stg_published_rankings') }} as stated
    inner join {{ ref('int_published_ratings') }} as holding using (ranking_name, last_update, listed_player_id)
    inner join {{ ref('stg_documents') }} as documents on stated.document_id = documents.document_id
    inner join {{ ref('stg_documents') }} as holding_documents on holding.document_id = holding_documents.document_id
    where
        stated.{{ fact }} != holding.{{ fact }}
        and documents.about = 'ranking'
        and {{ settled_by('holding_documents', 'documents') }} is null
    {% endfor %}
{%- endmacro %}
