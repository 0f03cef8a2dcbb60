-- Grain: one row per player and event number: the rating history under other rules.
-- select * from marts.history_under(maximum_value => 20, counted_years => 10)
-- Omitted arguments default to the rules of the default rating system.

with tournaments as (
    -- Excluding a tournament has the same effect as withdrawing it.
    select * from {{ mart('tournaments') }}
    where
        ended_on <= coalesce(cast(day as date), cast('infinity' as date))
        and not is_withdrawn
        and not coalesce(list_contains(excluded_tournaments, tournament_id), false)
),

rules as (
    select
        {{ rule_argument('initial_rating') }} as initial_rating,
        {{ rule_argument('world_championship_value') }} as world_championship_value,
        {{ rule_argument('one_round_divisor') }} as one_round_divisor,
        {{ rule_argument('several_rounds_divisor') }} as several_rounds_divisor,
        {{ rule_argument('base_value') }} as base_value,
        {{ rule_argument('maximum_value') }} as maximum_value,
        default_rules.opened_on,
        -- Null means the default rating system's window, so 0 means no window.
        {{ counted_from(
            'coalesce(cast(first_counted_on as date), default_rules.first_counted_on)',
            'case when counted_years = 0 then null else ' ~ rule_argument('counted_years', 'integer') ~ ' end',
            'default_rules.opened_on',
            '(select max(ended_on) from tournaments)'
        ) }} as counted_from
    from {{ mart('rating_systems') }} as default_rules
    where default_rules.is_default
),

valued as (
    select
        tournaments.tournament_id,
        {{ value_rule() }} as value_rule,
        {{ tournament_value('value_rule', rules='rules') }} as tournament_value
    from tournaments
    cross join rules
),

updates as (
    select
        history.* exclude (
            rating_system_id, listed_players, listed_place, expected_place, places_better  -- noqa: RF02
        ) replace (valued.tournament_value as tournament_value)
    from {{ of_default_system('rating_history') }} as history
    inner join valued using (tournament_id)
),

careers as (
    -- Each entry of `events` is [event number, percentile score, tournament value]: DuckDB 1.4, the version of the live
    -- pages, reduces lists of structs to nothing else. The order is the same under all rules. Sorting each list takes a
    -- third of the time of an ordered aggregate.
    select
        player_id,
        list_sort(list([event_number, percentile_score, tournament_value])) as events
    from updates
    group by player_id
),

rated as (
    -- The steps of the rating ledger as a fold: the starting rating, then the rating after each tournament. A recursion
    -- takes ten times as long in DuckDB 1.4.
    select
        careers.player_id,
        careers.events,
        list_reduce(
            careers.events,
            {# sqlfluff parses only the arrow, which DuckDB 2.0 refuses: `.sqlfluff` sets the variable. #}
            {{ '(ratings, event) ->' if var('is_linted', false) else 'lambda ratings, event:' }} list_append(
                ratings,
                {{ rating_after('ratings[-1]', 'event[2]', 'event[3]') }}
            ),
            [coalesce(openings.percentile_score, (select rules.initial_rating from rules))]
        ) as ratings
    from careers
    -- Other rules change no opening rating.
    left join {{ of_default_system('rating_breakdown') }} as openings
        on careers.player_id = openings.player_id and openings.opened_on is not null
),

ledger as (
    -- The lists are unnested in parallel.
    select
        player_id,
        unnest(events)[1] as event_number,
        unnest(ratings[:-2]) as rating_before,
        unnest(ratings[2:]) as rating_after,
        cast(generate_subscripts(events, 1) as integer) as new_event_number
    from rated
)

select
    updates.* replace (
        ledger.new_event_number as event_number,
        updates.tournament_value > 0 as is_counted,
        ledger.rating_before as rating_before,
        {{ rating_change('ledger.rating_before', 'percentile_score', 'updates.tournament_value') }} as rating_change,
        ledger.rating_after as rating_after
    )
from ledger
inner join updates using (player_id, event_number)
