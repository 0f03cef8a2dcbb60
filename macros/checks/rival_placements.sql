{#
    Two tables of a tournament with different people at one placement, each of whom the other table lacks: one person
    under two names, or a contradiction like those of `undecided_statements`.
#}
{% macro rival_placements() -%}
    with placed as (
        select
            stated.*,
            documents.precedence
        from {{ ref('int_result_statements') }} as stated
        inner join {{ ref('stg_documents') }} as documents using (document_id)
        inner join {{ ref('int_results') }} as results using (tournament_id, listed_player_id, placement)
        where stated.about = 'tournament' and not results.is_withdrawn
    )

    select
    {{ fault(
        'rival', 'raw_results', ['later.document_id', 'later.tournament_id', 'later.listed_player_id'], 'placement',
        'later.placement', 'min(earlier.listed_player_id)', 'min_by(earlier.document_id, earlier.listed_player_id)'
    ) }}
    from placed as later
    inner join placed as earlier
        on
            later.tournament_id = earlier.tournament_id
            and later.placement = earlier.placement
            and later.precedence > earlier.precedence
    left join {{ ref('stg_results') }} as earlier_there
        on
            later.document_id = earlier_there.document_id
            and later.tournament_id = earlier_there.tournament_id
            and earlier.listed_player_id = earlier_there.listed_player_id
    left join {{ ref('stg_results') }} as later_there
        on
            earlier.document_id = later_there.document_id
            and later.tournament_id = later_there.tournament_id
            and later.listed_player_id = later_there.listed_player_id
    where
        earlier_there.document_id is null
        and later_there.document_id is null
        and not {{ is_settled('earlier', 'later') }}
    group by later.document_id, later.tournament_id, later.listed_player_id, later.placement
{%- endmacro %}


{# Whether the order of documents settles what two of one kind state: one replaces the other, or its source is better. #}
{% macro is_settled(holding, other) -%}
    (
        {{ holding }}.source_rank = 1 and {{ other }}.source_rank = 3
        -- Two documents of one import do not replace each other.
        or {{ holding }}.replaces and not ({{ other }}.replaces and {{ holding }}.import_number = {{ other }}.import_number)
    )
{%- endmacro %}
