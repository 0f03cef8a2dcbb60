-- Grain: one row per rating system: its rules, an example, its ratings, and its differences from the default one.

with comparison as (
    select
        rating_system_id,
        cast(count(*) filter (where places_gained != 0) as integer) as players_moved,
        cast(count(*) filter (where places_gained is null) as integer) as players_ranked_once,
        max(abs(places_gained)) as most_places,
        max(abs(rating_gained)) filter (where places_gained is not null) as most_points
    from {{ mart('system_comparison') }}
    group by rating_system_id
),

ranked as (
    select
        rating_system_id,
        cast(count(*) as integer) as ranked_players,
        cast(floor(min({{ to_nine_decimals('rating') }}) / 5) as integer) as lowest_band,
        cast(floor(max({{ to_nine_decimals('rating') }}) / 5) as integer) as highest_band,
        histogram(cast(floor({{ to_nine_decimals('rating') }} / 5) as integer)) as players_by_band
    from {{ mart('international_ranking') }}
    group by rating_system_id
),

systems as (
    -- The worked example of the published rules.
    select
        *,
        cast(55 as double) as rating_before,
        65 as players,
        8 as placement,
        {{ percentile_score('players', 'placement') }} as percentile_score,
        {{ tournament_value("'several rounds'") }} as tournament_value
    from {{ mart('rating_systems') }}
)

select
    systems.* exclude (rating_before, players, placement, percentile_score, tournament_value),  -- noqa: RF02
    cast((
        select count(*) from {{ mart('included_tournaments') }} as included
        where included.rating_system_id = systems.rating_system_id and included.is_counted
    ) as integer) as tournaments_counted,
    coalesce(ranked.ranked_players, 0) as ranked_players,
    -- Bands of five points, also those between the lowest and the highest that nobody is in.
    list_transform(
        generate_series(ranked.lowest_band, ranked.highest_band),
        {{ anonymous_function('band') }} {
            'rated_from': cast(band * 5 as integer),
            'rated_below': cast(band * 5 + 5 as integer),
            'players': cast(coalesce(ranked.players_by_band[cast(band as integer)], 0) as integer)
        }
    ) as bands,
    {
        'rating_before': systems.rating_before,
        'players': systems.players,
        'placement': systems.placement,
        'percentile_score': systems.percentile_score,
        'tournament_value': systems.tournament_value,
        'rating_change': {{ rating_change(
            'systems.rating_before', 'systems.percentile_score', 'systems.tournament_value'
        ) }},
        'rating_after': {{ rating_after(
            'systems.rating_before', 'systems.percentile_score', 'systems.tournament_value'
        ) }}
    } as example,
    comparison.players_moved,
    comparison.players_ranked_once,
    comparison.most_places,
    comparison.most_points
from systems
left join ranked on systems.rating_system_id = ranked.rating_system_id
left join comparison on systems.rating_system_id = comparison.rating_system_id
