-- Grain: one row per person: the head of the page of a player.
-- Ratings and ranks are those of the rating system that the collection shows first.

with national_ranking as (
    select
        national.player_id,
        national.national_rank,
        cast(count(*) over (partition by national.nation_code) as integer) as national_players
    from {{ of_default_system('national_ranking') }} as national
),

last_events as (
    select
        history.player_id,
        cast(max(history.event_number) as integer) as rated_events,
        max_by(history.rating_change, history.event_number) as last_change
    from {{ of_default_system('rating_history') }} as history
    group by history.player_id
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
    from {{ mart('tournament_results') }} as results
    inner join {{ mart('tournaments') }} as tournaments on results.tournament_id = tournaments.tournament_id
    where results.placement is not null
),

best_places as (
    select * from placed
    where number = 1
),

totals as (
    select
        cast((select count(*) from {{ of_default_system('international_ranking') }}) as integer) as ranked_players,
        cast((select count(*) from {{ of_default_system('active_ranking') }}) as integer) as active_players
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
    coalesce(ranking.rating, players.rating) as rating,
    ranking.rank,
    totals.ranked_players,
    ranking.tournaments_counted,
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
    rating_systems.initial_rating
from {{ mart('players') }} as players
inner join {{ mart('rating_systems') }} as rating_systems on rating_systems.is_default
cross join totals
left join {{ mart('nations') }} as nations on players.nation_code = nations.nation_code
left join {{ of_default_system('international_ranking') }} as ranking on players.player_id = ranking.player_id
left join {{ of_default_system('rank_movements') }} as movements
    on players.player_id = movements.player_id and movements.period = 'tournament'
left join national_ranking on players.player_id = national_ranking.player_id
left join {{ of_default_system('active_ranking') }} as active_ranking on players.player_id = active_ranking.player_id
left join last_events on players.player_id = last_events.player_id
left join {{ of_default_system('player_records') }} as records on players.player_id = records.player_id
left join best_places on players.player_id = best_places.player_id
left join {{ mart('careers') }} as careers on players.player_id = careers.player_id
