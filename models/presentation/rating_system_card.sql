-- Grain: one row per rating system: its rules, an example, its ratings, and its differences from the default one.

with comparison as (
    -- Players whom both systems rank, and those whom one of them ranks.
    select
        systems.rating_system_id,
        cast(count(*) filter (where variant.rank != default_ranking.rank) as integer) as players_moved,
        cast(count(*) filter (
            where variant.rank is null or default_ranking.rank is null
        ) as integer) as players_ranked_once,
        max(abs(default_ranking.rank - variant.rank)) as most_places,
        max(abs(variant.rating - default_ranking.rating)) as most_points
    from {{ mart('rating_systems') }} as systems
    cross join {{ mart('players') }} as players
    left join {{ mart('international_ranking') }} as variant
        on systems.rating_system_id = variant.rating_system_id and players.player_id = variant.player_id
    left join {{ of_default_system('international_ranking') }} as default_ranking
        on players.player_id = default_ranking.player_id
    where not systems.is_default and (variant.rank is not null or default_ranking.rank is not null)
    group by systems.rating_system_id
),

ranked as (
    select
        rating_system_id,
        cast(floor({{ to_nine_decimals('rating') }} / 5) as integer) as band
    from {{ mart('international_ranking') }}
),

-- Bands of five points, also those between the lowest and the highest that nobody is in.
edges as (
    select
        rating_system_id,
        cast(count(*) as integer) as ranked_players,
        cast(unnest(generate_series(min(band), max(band))) as integer) as band
    from ranked
    group by rating_system_id
),

counted as (
    select
        rating_system_id,
        band,
        cast(count(*) as integer) as players
    from ranked
    group by rating_system_id, band
),

bands as (
    select
        edges.rating_system_id,
        edges.ranked_players,
        list({
            'rated_from': edges.band * 5,
            'rated_below': edges.band * 5 + 5,
            'players': coalesce(counted.players, 0)
        } order by edges.band) as bands
    from edges
    left join counted using (rating_system_id, band)
    group by edges.rating_system_id, edges.ranked_players
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
    coalesce(bands.ranked_players, 0) as ranked_players,
    bands.bands,
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
left join bands on systems.rating_system_id = bands.rating_system_id
left join comparison on systems.rating_system_id = comparison.rating_system_id
