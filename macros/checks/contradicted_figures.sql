{#
    Percentile scores and tournament values that a table prints and the facts contradict. Values are checked under the
    default rating system, if it reproduces or continues a ranking. Figures are checked against facts of the same document
    only, never against corrected ones. An import asks this about its documents; dbt only warns (printed_figures_agree.sql).
#}
{% macro contradicted_figures() -%}
    select
    {{ fault(
        'contradicted_value', 'raw_tournaments', ['stated.document_id', 'stated.tournament_id'], 'coefficient_1',
        'stated.coefficient_1', "printf('%.2f', tournament_value)",
        "coalesce(facts.kind, 'an ordinary tournament') || ' with these players and days (' || value_rule || ')'"
    ) }}
    from {{ ref('int_tournament_statements') }} as stated
    inner join {{ ref('int_tournaments') }} as facts using (tournament_id, document_id)
    inner join {{ ref('int_tournament_values') }} as tournament_values using (tournament_id)
    inner join {{ ref('int_rating_systems') }} as rating_systems using (rating_system_id)
    where
        rating_system_id = {{ default_system() }}
        and coalesce(reproduced_ranking, opening_ranking) is not null
        and stated.about = 'tournament'
        and stated.coefficient_1 is not null
        and not facts.is_value_corrected
        and value_rule not in ('withdrawn', 'before the opening', 'players not declared')
        -- A window of years moves past tournaments.
        and not (value_rule = 'before first counted day' and counted_years is not null)
        and not {{ agrees_with_published('tournament_value', 'stated.coefficient_1') }}

    union all

    select
    {{ fault(
        'contradicted_score', 'raw_results', ['stated.document_id', 'tournament_id', 'listed_player_id'], 'published_score',
        'stated.published_score', "printf('%.2f', results.percentile_score)",
        "'placement ' || results.placement || ' among ' || results.players || ' players'"
    ) }}
    from {{ ref('int_result_statements') }} as stated
    inner join {{ ref('int_results') }} as results using (tournament_id, listed_player_id, document_id)
    inner join {{ ref('int_tournaments') }} as facts using (tournament_id, document_id)
    where
        stated.about = 'tournament'
        and stated.published_score is not null
        and results.placement <= results.players
        and not results.is_corrected
        and not results.is_withdrawn
        and not {{ agrees_with_published('results.percentile_score', 'stated.published_score') }}
{%- endmacro %}
