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
    cross join {{ mart('players') }}
    left join {{ mart('international_ranking') }} as variant using (rating_system_id, player_id)
    left join {{ of_default_system('international_ranking') }} as default_ranking using (player_id)
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
counted as (
    select
        rating_system_id,
        cast(count(*) as integer) as ranked_players,
        histogram(band) as players_in,
        cast(unnest(generate_series(min(band), max(band))) as integer) as band
    from ranked
    group by rating_system_id
),

bands as (
    select
        rating_system_id,
        ranked_players,
        list({
            'rated_from': band * 5,
            'rated_below': band * 5 + 5,
            'players': cast(coalesce(players_in[band], 0) as integer)
        } order by band) as bands
    from counted
    group by rating_system_id, ranked_players
),

examples as (
    -- The worked example of the published rules.
    select
        rating_system_id,
        cast(55 as double) as rating_before,
        65 as players,
        8 as placement,
        {{ percentile_score('players', 'placement') }} as percentile_score,
        {{ tournament_value("'several rounds'") }} as tournament_value,
        {{ rating_change('rating_before', 'percentile_score', 'tournament_value') }} as rating_change,
        {{ rating_after('rating_before', 'percentile_score', 'tournament_value') }} as rating_after
    from {{ mart('rating_systems') }}
)

select
    systems.*,  -- noqa: RF02
    cast((
        select count(*) from {{ mart('included_tournaments') }} as included
        where included.rating_system_id = systems.rating_system_id and included.is_counted
    ) as integer) as tournaments_counted,
    coalesce(bands.ranked_players, 0) as ranked_players,
    bands.bands,
    struct_pack(
        examples.rating_before, examples.players, examples.placement, examples.percentile_score,
        examples.tournament_value, examples.rating_change, examples.rating_after
    ) as example,
    comparison.players_moved,
    comparison.players_ranked_once,
    comparison.most_places,
    comparison.most_points
from {{ mart('rating_systems') }} as systems
inner join examples using (rating_system_id)
left join bands using (rating_system_id)
left join comparison using (rating_system_id)
