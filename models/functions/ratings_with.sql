-- Grain: one row per person with a placement: the rating if the collection had the results of another tournament.
-- from marts.ratings_with(map {'toby-harris': 1}, tournament_players => 21, last_day => '2026-05-03')
-- A known tournament gets the given facts and placements, and keeps its other results, as after `import --replace`.

with tournaments as (
    select
        coalesce(tournament, '') as tournament_id,
        cast(coalesce(first_day, last_day) as date) as started_on,
        cast(last_day as date) as ended_on,
        cast(tournament_players as integer) as players,
        cast(tournament_rounds as integer) as rounds,
        cast(championship as boolean) as is_world_championship,
        false as is_withdrawn
    union all by name
    select * from {{ mart('tournaments') }}
    where not is_withdrawn and tournament_id is distinct from tournament
),

rules as (
    select
        * replace (
            {{ counted_from(
                'first_counted_on', 'counted_years', 'opened_on', '(select max(ended_on) from tournaments)'
            ) }} as counted_from
        )
    from {{ mart('rating_systems') }}
    where is_default
),

results as (
    select
        coalesce(tournament, '') as tournament_id,
        unnest(map_keys(placements)) as player_id,
        cast(unnest(map_values(placements)) as integer) as placement
    union all
    select
        tournament_id,
        player_id,
        placement
    from {{ mart('tournament_results') }}
    where not is_withdrawn and (tournament_id is distinct from tournament or not map_contains(placements, player_id))
),

updates as (
    select
        results.*,
        tournaments.started_on,
        tournaments.ended_on,
        {{ percentile_score('players', 'placement') }} as percentile_score,
        {{ value_rule() }} as value_rule,
        {{ tournament_value('value_rule') }} as tournament_value
    from results
    inner join tournaments using (tournament_id)
    cross join rules
    where percentile_score is not null and value_rule != 'before the opening'
),

careers as (
    select
        player_id,
        max(tournament_value) filter (where tournament_id = coalesce(tournament, '')) as tournament_value,
        list([percentile_score, tournament_value] order by ended_on, started_on nulls last, tournament_id) as events
    from updates
    group by player_id
)

-- As in `history_under`, the steps of the rating ledger are a fold over lists of doubles.
select
    careers.player_id,
    careers.tournament_value,
    list_reduce(
        careers.events,
        {{ '(rating, event) ->' if var('is_linted', false) else 'lambda rating, event:' }}
        [{{ rating_after('rating[1]', 'event[1]', 'event[2]') }}],
        [coalesce(openings.percentile_score, rules.initial_rating)]
    )[1] as rating
from careers
cross join rules
left join {{ of_default_system('rating_breakdown') }} as openings
    on careers.player_id = openings.player_id and openings.opened_on is not null
order by careers.player_id
