-- The verification recomputes results, values, the history and the rankings from the seeds. Other tables repeat their
-- figures, and the names of players: a repeated figure that differs would be published unseen. `origin` has the row
-- with the same key in the table where the figure comes from.
{%- set comparisons = [
    {
        'table': 'players', 'origin': of_default_system('international_ranking'), 'key': ['player_id'],
        'figures': {'international_rank': 'origin.rank', 'rating': 'coalesce(origin.rating, repeated.rating)'},
    },
    {
        'table': 'international_ranking', 'origin': ref('players'), 'key': ['player_id'],
        'figures': {
            'first_name': 'origin.first_name', 'last_name': 'origin.last_name', 'nation_code': 'origin.nation_code',
        },
    },
    {
        'table': 'published_ranking_comparison', 'key': ['ranking_name', 'last_update', 'player_id'],
        'origin': '(select ranking_name, last_update, player_id, max_by(rating_after, event_number) as rating from '
            ~ ref('published_ranking_comparison') ~ ' as compared inner join ' ~ of_default_system('rating_history')
            ~ ' as history using (player_id) where history.ended_on <= compared.last_update group by all)',
        'figures': {'rating': 'coalesce(origin.rating, repeated.rating)'},
    },
    {
        'table': 'published_score_comparison', 'key': ['tournament_id', 'player_id'],
        'origin': '(select * from ' ~ ref('tournament_results') ~ ' where not is_withdrawn)',
        'figures': {'percentile_score': 'origin.percentile_score'},
    },
    {
        'table': 'yearly_ranking', 'key': ['rating_system_id', 'player_id', 'year'],
        'origin': '(select * replace (year + 1 as year) from ' ~ ref('yearly_ranking') ~ ')',
        'figures': {
            'earlier_rank': 'origin.rank', 'places_gained': 'origin.rank - repeated.rank',
            'rating_gained': 'repeated.rating - origin.rating',
        },
    },
] %}
{% for comparison in comparisons %}
    select
        '{{ comparison.table }}' as repeated_in,
        concat_ws(' ', {{ comparison.key | join(', ') }}) as of_row
    from {{ ref(comparison.table) }} as repeated
    left join {{ comparison.origin }} as origin using ({{ comparison.key | join(', ') }})
    where
        false
        {% for column, figure in comparison.figures.items() %}
            or repeated.{{ column }} is distinct from {{ figure }}
        {% endfor %}
    {{ 'union all' if not loop.last }}
{% endfor %}
