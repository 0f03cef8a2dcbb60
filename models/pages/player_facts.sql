-- Grain: one row per person: the head of the page of a player.
-- Ratings and ranks are those of the rating system that the collection shows first.

with shown as (
    select
        settings.rating_system_id,
        rating_systems.initial_rating
    from {{ published('settings') }} as settings
    inner join {{ published('rating_systems') }} as rating_systems
        on settings.rating_system_id = rating_systems.rating_system_id
),

national_ranking as (
    select
        national.player_id,
        national.national_rank,
        cast(count(*) over (partition by national.nation_code) as integer) as national_players
    from {{ published('national_ranking') }} as national
    inner join shown on national.rating_system_id = shown.rating_system_id
),

active_ranking as (
    select active.*
    from {{ published('active_ranking') }} as active
    inner join shown on active.rating_system_id = shown.rating_system_id
),

movements as (
    select movements.*
    from {{ published('rank_movements') }} as movements
    inner join shown on movements.rating_system_id = shown.rating_system_id
    where movements.since = 'tournament'
),

records as (
    select records.*
    from {{ published('player_records') }} as records
    inner join shown on records.rating_system_id = shown.rating_system_id
),

last_events as (
    select
        history.player_id,
        cast(max(history.event_number) as integer) as rated_events,
        max_by(history.rating_change, history.event_number) as last_change
    from {{ published('rating_history') }} as history
    inner join shown on history.rating_system_id = shown.rating_system_id
    group by history.player_id
),

initial_shares as (
    select
        breakdown.player_id,
        breakdown.weight,
        breakdown.contribution
    from {{ published('rating_breakdown') }} as breakdown
    inner join shown on breakdown.rating_system_id = shown.rating_system_id
    where breakdown.event_number = 0
),

placed as (
    select
        results.player_id,
        results.tournament_id,
        tournaments.name,
        results.placement,
        tournaments.players,
        row_number() over (
            partition by results.player_id
            order by
                results.placement asc,
                tournaments.players desc nulls last,
                tournaments.ended_on asc,
                results.tournament_id asc
        ) as number
    from {{ published('tournament_results') }} as results
    inner join {{ published('tournaments') }} as tournaments on results.tournament_id = tournaments.tournament_id
    where results.placement is not null
),

best_places as (
    select * from placed
    where number = 1
),

ranked as (
    select
        ranking.player_id,
        ranking.rank,
        ranking.rating,
        ranking.tournaments_counted
    from {{ published('international_ranking') }} as ranking
    inner join shown on ranking.rating_system_id = shown.rating_system_id
),

totals as (
    select
        cast((select count(*) from ranked) as integer) as ranked_players,
        cast((select count(*) from active_ranking) as integer) as active_players
)

select
    players.player_id,
    players.first_name,
    players.last_name,
    players.nation_code,
    nations.nation_name,
    players.location_code,
    players.tournaments_played,
    players.first_played_on,
    players.last_played_on,
    coalesce(ranked.rating, players.rating) as rating,
    ranked.rank,
    totals.ranked_players,
    ranked.tournaments_counted,
    movements.earlier_rank,
    movements.places_gained,
    national_ranking.national_rank,
    national_ranking.national_players,
    active_ranking.rank as active_rank,
    totals.active_players,
    last_events.rated_events,
    last_events.last_change,
    records.peak_rating,
    records.peak_on,
    records.best_year_end_rank,
    records.best_year,
    best_places.placement as best_placement,
    best_places.players as best_players,
    best_places.tournament_id as best_tournament_id,
    best_places.name as best_tournament_name,
    careers.gold_medals,
    careers.silver_medals,
    careers.bronze_medals,
    careers.world_championships_played,
    shown.initial_rating,
    initial_shares.weight as initial_weight,
    initial_shares.contribution as initial_contribution
from {{ published('players') }} as players
cross join shown
cross join totals
left join {{ published('nations') }} as nations on players.nation_code = nations.nation_code
left join ranked on players.player_id = ranked.player_id
left join movements on players.player_id = movements.player_id
left join national_ranking on players.player_id = national_ranking.player_id
left join active_ranking on players.player_id = active_ranking.player_id
left join last_events on players.player_id = last_events.player_id
left join records on players.player_id = records.player_id
left join best_places on players.player_id = best_places.player_id
left join {{ published('careers') }} as careers on players.player_id = careers.player_id
left join initial_shares on players.player_id = initial_shares.player_id
