-- Grain: one row per player and event number: the rating history, as other rules would have made it.
-- select * from marts.history_under(maximum_value => 20, counted_years => 10)
-- What is left out is as the default rating system has it.

with default_rules as (
    select * from {{ mart('rating_systems') }}
    where is_default
),

rules as (
    select
        {{ rule_argument('initial_rating') }} as initial_rating,
        {{ rule_argument('world_championship_value') }} as world_championship_value,
        {{ rule_argument('one_round_divisor') }} as one_round_divisor,
        {{ rule_argument('several_rounds_divisor') }} as several_rounds_divisor,
        {{ rule_argument('base_value') }} as base_value,
        {{ rule_argument('maximum_value') }} as maximum_value,
        coalesce(cast(first_counted_on as date), default_rules.first_counted_on) as first_counted_on,
        -- Null is what the default rating system has, so that no window needs a figure of its own.
        case when counted_years = 0 then null else {{ rule_argument('counted_years', 'integer') }} end as counted_years
    from default_rules
),

tournaments as (
    -- Excluded is what withdrawing it would do.
    select *
    from {{ mart('tournaments') }}
    where
        ended_on <= coalesce(cast(day as date), cast('infinity' as date))
        and not is_withdrawn
        and not coalesce(list_contains(excluded_tournaments, tournament_id), false)
),

counted as (
    select
        {{ counted_from(
            'rules.first_counted_on', 'rules.counted_years', '(select max(ended_on) from tournaments)'
        ) }} as counted_from
    from rules
),

ruled as (
    select
        tournaments.tournament_id,
        tournaments.players,
        {{ value_rule() }} as value_rule
    from tournaments
    cross join counted
),

valued as (
    select
        ruled.tournament_id,
        cast({{ tournament_value('ruled.value_rule', rules='rules') }} as double) as tournament_value
    from ruled
    cross join rules
),

updates as (
    select
        history.player_id,
        history.event_number,
        history.tournament_id,
        history.ended_on,
        history.placement,
        history.players,
        history.percentile_score,
        valued.tournament_value
    from {{ mart('rating_history') }} as history
    inner join default_rules on history.rating_system_id = default_rules.rating_system_id
    inner join valued on history.tournament_id = valued.tournament_id
),

careers as (
    -- Each event is [event number, percentile score, tournament value]; their order is the same under all rules.
    -- An ordered aggregate takes three times as long as sorting each list.
    select
        player_id,
        list_sort(list([event_number, percentile_score, tournament_value])) as events
    from updates
    group by player_id
),

rated as (
    -- The steps are those of the rating ledger, as a fold: first the initial rating, then those that the events leave.
    -- DuckDB 1.4, the version of the live pages, takes ten times as long for a recursion.
    select
        player_id,
        events,
        list_reduce(
            events,
            {{ anonymous_function('ratings, event') }} list_append(
                ratings,
                ratings[-1] + {{ rating_change('ratings[-1]', 'event[2]', 'event[3]') }}
            ),
            [(select rules.initial_rating from rules)]
        ) as ratings
    from careers
),

ledger as (
    -- Lists are unnested side by side; the last rating is before no event.
    select
        player_id,
        unnest(events) as event,
        unnest(ratings[:-2]) as rating_before,
        generate_subscripts(events, 1) as event_number
    from rated
),

changes as (
    select
        ledger.player_id,
        ledger.event_number,
        updates.tournament_id,
        updates.ended_on,
        updates.placement,
        updates.players,
        updates.percentile_score,
        updates.tournament_value,
        ledger.rating_before,
        {{ rating_change(
            'ledger.rating_before', 'updates.percentile_score', 'updates.tournament_value'
        ) }} as rating_change
    from ledger
    inner join updates
        on
            ledger.player_id = updates.player_id
            and ledger.event[1] = updates.event_number
)

select
    player_id,
    event_number,
    tournament_id,
    ended_on,
    placement,
    players,
    percentile_score,
    tournament_value,
    rating_before,
    rating_change,
    rating_before + rating_change as rating_after
from changes
