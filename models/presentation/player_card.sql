-- Grain: one row per rating system and person: the summary at the top of a player's page.

with movements as (
    select * from {{ mart('rank_movements') }}
    where period = 'tournament'
),

-- A chart of ratings has room on both sides, so that a single tournament is visible, too.
charts as (
    select
        starts.rating_system_id,
        starts.player_id,
        coalesce(starts.opened_on, min(history.ended_on) filter (where history.is_counted)) as first_day,
        cast(greatest(20, (rating_systems.last_update - first_day) // 25) as integer) as margin
    from {{ mart('rating_breakdown') }} as starts
    inner join {{ mart('rating_systems') }} as rating_systems using (rating_system_id)
    left join {{ mart('rating_history') }} as history using (rating_system_id, player_id)
    where starts.event_number = 0 and (starts.opened_on is not null or history.player_id is not null)
    group by starts.rating_system_id, starts.player_id, starts.opened_on, rating_systems.last_update
),

best_places as (
    select
        results.player_id,
        results.tournament_id,
        results.tournament_name,
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
    select * from {{ mart('published_ranking_comparison') }}
    qualify row_number() over (partition by player_id order by last_update desc, ranking_name asc) = 1
),

aliases as (
    select
        player_id,
        list(distinct listed_player_id order by listed_player_id) as aliases
    from {{ mart('player_aliases') }}
    group by player_id
)

select
    starts.rating_system_id,
    players.* exclude (rating, international_rank, known_from),  -- noqa: RF02
    coalesce(aliases.aliases, []) as aliases,
    coalesce(ranking.rating, starts.percentile_score) as rating,
    starts.weight as initial_weight,
    {{ is_provisional('starts') }} as is_provisional,
    ranking.rank as international_rank,
    cast(count(ranking.rank) over (partition by starts.rating_system_id) as integer) as ranked_players,
    case
        when ranking.rank is not null then cast(floor(
            100 * (rank() over (partition by starts.rating_system_id order by ranking.rank desc nulls last) - 1)
            / nullif(ranked_players - 1, 0)
        ) as integer)
    end as percent_below,
    coalesce(ranking.tournaments_counted, 0) as tournaments_counted,
    ranking.last_played_on as last_rated_on,
    movements.earlier_rank,
    movements.places_gained,
    count(movements.earlier_rank) over (partition by starts.rating_system_id) = 0 as is_first_ranking,
    national_ranking.national_rank,
    case
        when national_ranking.national_rank is not null then cast(count(national_ranking.national_rank) over (
            partition by starts.rating_system_id, players.nation_code
        ) as integer)
    end as national_players,
    ranking.active_rank,
    cast(count(ranking.active_rank) over (partition by starts.rating_system_id) as integer) as active_players,
    published.ranking_name as published_ranking_name,
    published.last_update as published_on,
    published.published_rank,
    published.published_rating,
    published.rating as rating_then,
    published.reason as published_reason,
    published.explanation as published_explanation,
    ranking.peak_rating,
    ranking.peak_on,
    ranking.best_year_end_rank,
    ranking.best_year,
    best_places.placement as best_placement,
    best_places.players as best_players,
    best_places.tournament_id as best_tournament_id,
    best_places.tournament_name as best_tournament_name,
    starts.percentile_score as initial_rating,
    starts.opened_on,
    charts.first_day - case when starts.opened_on is null then charts.margin else 0 end as chart_from,
    rating_systems.last_update + charts.margin as chart_to
from {{ mart('players') }} as players
inner join {{ mart('rating_breakdown') }} as starts using (player_id)
inner join {{ mart('rating_systems') }} as rating_systems using (rating_system_id)
left join {{ mart('international_ranking') }} as ranking using (rating_system_id, player_id)
left join {{ mart('national_ranking') }} as national_ranking using (rating_system_id, player_id)
left join movements using (rating_system_id, player_id)
left join charts using (rating_system_id, player_id)
left join published using (player_id)
left join best_places using (player_id)
left join aliases using (player_id)
where starts.event_number = 0
