-- Grain: one row per collection: its completeness, and its agreement with published figures.

select
    settings.rating_system_id,
    cast((select count(*) from {{ mart('tournament_completeness') }}) as integer) as tournaments,
    cast((
        select count(*) from {{ mart('tournament_completeness') }} as completeness
        where completeness.is_complete
    ) as integer) as complete_tournaments,
    {%- for counted in ['results_with_placement', 'results_without_placement', 'results_missing'] %}
        cast((
            select coalesce(sum(completeness.{{ counted }}), 0)
            from {{ mart('tournament_completeness') }} as completeness
        ) as integer) as {{ counted }},
    {%- endfor %}
    {%- for comparison, printed, agreeing in [
        ('published_score_comparison', 'printed_scores', 'agreeing_scores'),
        ('published_coefficient_comparison', 'printed_values', 'agreeing_values'),
    ] %}
        cast((select count(*) from {{ mart(comparison) }}) as integer) as {{ printed }},
        cast((
            select count(*) from {{ mart(comparison) }} as compared
            where compared.agrees
        ) as integer) as {{ agreeing }},
    {%- endfor %}
    cast((
        select count(*) from {{ mart('published_ranking_comparison') }} as compared
        where compared.reason != 'continued here'
    ) as integer) as published_ratings,
    cast((
        select count(*) from {{ mart('published_ranking_comparison') }} as compared
        where compared.reason = 'agrees'
    ) as integer) as reproduced_ratings,
    cast((select count(*) from {{ mart('source_contradictions') }}) as integer) as contradictions
from {{ mart('settings') }} as settings
