-- Grain: one row per rating system and person: the summary at the top of a player's page.

with ranking as (
    select
        *,
        cast(floor(
            100 * (rank() over (partition by rating_system_id order by rank desc) - 1)
            / nullif(count(*) over (partition by rating_system_id) - 1, 0)
        ) as integer) as percent_below
    from {{ mart('international_ranking') }}
),

national_ranking as (
    select
        rating_system_id,
        player_id,
        national_rank,
        cast(count(*) over (partition by rating_system_id, nation_code) as integer) as national_players
    from {{ mart('national_ranking') }}
),

last_events as (
    select
        rating_system_id,
        player_id,
        cast(max(event_number) as integer) as rated_events,
        min(ended_on) filter (where tournament_value > 0) as first_counted_on
    from {{ mart('rating_history') }}
    group by rating_system_id, player_id
),

starts as (
    select * from {{ mart('rating_breakdown') }}
    where event_number = 0
),

-- A chart of ratings has room on both sides, so that a single tournament is visible, too.
charts as (
    select
        starts.rating_system_id,
        starts.player_id,
        coalesce(starts.opened_on, last_events.first_counted_on) as first_day,
        cast(greatest(20, (rating_systems.last_update - first_day) // 25) as integer) as margin
    from starts
    inner join {{ mart('rating_systems') }} as rating_systems using (rating_system_id)
    left join last_events using (rating_system_id, player_id)
    where starts.opened_on is not null or last_events.rated_events > 0
),

best_places as (
    select
        results.player_id,
        results.tournament_id,
        tournaments.name,
        results.placement,
        tournaments.players
    from {{ mart('tournament_results') }} as results
    inner join {{ mart('tournaments') }} as tournaments using (tournament_id)
    where results.placement is not null and not results.is_withdrawn
    qualify row_number() over (
        partition by results.player_id
        order by
            results.placement asc,
            tournaments.players desc nulls last,
            tournaments.ended_on asc,
            results.tournament_id asc
    ) = 1
),

published as (
    select *
    from {{ mart('published_ranking_comparison') }}
    qualify row_number() over (partition by player_id order by last_update desc, ranking_name asc) = 1
),

aliases as (
    select
        player_id,
        list(distinct listed_player_id order by listed_player_id) as aliases
    from {{ mart('player_aliases') }}
    group by player_id
),

movements as (
    select * from {{ mart('rank_movements') }}
    where period = 'tournament'
)

select
    rating_systems.rating_system_id,
    players.* exclude (rating, international_rank, known_from),  -- noqa: RF02
    {{ player_name('players') }} as player_name,
    coalesce(aliases.aliases, []) as aliases,
    nations.nation_name,
    coalesce(ranking.rating, starts.percentile_score) as rating,
    starts.weight as initial_weight,
    {{ is_provisional('starts') }} as is_provisional,
    ranking.rank,
    cast(count(ranking.rank) over (partition by rating_systems.rating_system_id) as integer) as ranked_players,
    ranking.percent_below,
    coalesce(ranking.tournaments_counted, 0) as tournaments_counted,
    ranking.last_played_on as last_rated_on,
    movements.earlier_rank,
    movements.places_gained,
    count(movements.earlier_rank) over (partition by rating_systems.rating_system_id) = 0 as is_first_ranking,
    national_ranking.national_rank,
    national_ranking.national_players,
    active_ranking.rank as active_rank,
    cast(count(active_ranking.rank) over (partition by rating_systems.rating_system_id) as integer) as active_players,
    published.ranking_name as published_ranking_name,
    published.last_update as published_on,
    published.published_rank,
    published.published_rating,
    published.rating as rating_then,
    published.reason as published_reason,
    published.note as published_note,
    records.peak_rating,
    records.peak_on,
    records.best_year_end_rank,
    records.best_year,
    best_places.placement as best_placement,
    best_places.players as best_players,
    best_places.tournament_id as best_tournament_id,
    best_places.name as best_tournament_name,
    coalesce(careers.gold_medals, 0) as gold_medals,
    coalesce(careers.silver_medals, 0) as silver_medals,
    coalesce(careers.bronze_medals, 0) as bronze_medals,
    starts.percentile_score as initial_rating,
    starts.opened_on,
    charts.first_day - case when starts.opened_on is null then charts.margin else 0 end as chart_from,
    rating_systems.last_update + charts.margin as chart_to
from {{ mart('players') }} as players
cross join {{ mart('rating_systems') }} as rating_systems
left join {{ mart('nations') }} as nations on players.nation_code = nations.nation_code
left join aliases using (player_id)
left join ranking using (rating_system_id, player_id)
inner join starts using (rating_system_id, player_id)
left join movements using (rating_system_id, player_id)
left join national_ranking using (rating_system_id, player_id)
left join {{ mart('active_ranking') }} as active_ranking using (rating_system_id, player_id)
left join last_events using (rating_system_id, player_id)
left join charts using (rating_system_id, player_id)
left join {{ mart('player_records') }} as records using (rating_system_id, player_id)
left join published using (player_id)
left join best_places using (player_id)
left join {{ mart('careers') }} as careers using (player_id)
