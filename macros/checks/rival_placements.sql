{#
    Different people at one placement in two tables of a tournament, each of whom the other table lacks: one person
    under two names, or a contradiction. The order of documents may settle it, as in `undecided_statements`.
#}
{% macro rival_placements() -%}
    with placed as not materialized (  -- A table of every column would take too much memory.
        select stated.*
        from {{ ref('int_result_statements') }} as stated
        inner join {{ ref('int_results') }} as results using (tournament_id, listed_player_id, placement)
        where stated.about = 'tournament' and not results.is_withdrawn
    ),

    listed as (
        select (document_id, tournament_id, listed_player_id) from {{ ref('stg_results') }}
    )

    select
    {{ fault(
        'rival', 'raw_results', ['later.document_id', 'later.tournament_id', 'later.listed_player_id'], 'placement',
        'later.placement', 'min(earlier.listed_player_id)', 'min_by(earlier.document_id, earlier.listed_player_id)'
    ) }}
    from placed as later
    inner join placed as earlier using (tournament_id, placement)
    where
        later.precedence > earlier.precedence
        and (later.document_id, later.tournament_id, earlier.listed_player_id) not in (from listed)
        and (earlier.document_id, earlier.tournament_id, later.listed_player_id) not in (from listed)
        and {{ settled_by('earlier', 'later') }} is null
    group by later.document_id, later.tournament_id, later.listed_player_id, later.placement
{%- endmacro %}


{# The reason why the first of two contradicting documents holds; null if neither replacement nor source gives one. #}
{% macro settled_by(holding, other) -%}
    case
        -- `--replace` decides about the documents of earlier imports.
        when {{ holding }}.replaces and {{ holding }}.import_number > {{ other }}.import_number then 'replacement'
        when {{ holding }}.source_rank = 1 and {{ other }}.source_rank = 3 then 'better source'
    end
{%- endmacro %}
