-- Grain: one row per person.
-- Everybody that any seed knows, with the best statement of each fact.

with results as (
    select * from {{ ref('int_scored_results') }}
),

statements as (
    -- The rating keeper's word, with its source, goes before what tournaments list under the person's own id, that
    -- before what they list under an alias, and that before a published ranking.
    select
        player_id,
        first_name,
        last_name,
        nation_code,
        location_code,
        1 as precedence,
        cast(null as date) as stated_on,
        '' as stated_in
    from {{ ref('stg_players') }}

    union all

    select
        player_id,
        first_name,
        last_name,
        nation_code,
        location_code,
        case when player_id = listed_player_id then 2 else 3 end as precedence,
        ended_on as stated_on,
        tournament_id as stated_in
    from results

    union all

    select
        player_id,
        first_name,
        last_name,
        nation_code,
        location_code,
        4 as precedence,
        last_update as stated_on,
        ranking_name as stated_in
    from {{ ref('int_published_ratings') }}
),

preferred as (
    -- Within a kind of source the latest statement wins; the last tie-break is the name of the source.
    select
        *,
        row_number() over (
            partition by player_id
            order by precedence asc, stated_on desc nulls last, stated_in desc
        ) as preference
    from statements
),

facts as (
    select
        player_id,
        min_by(first_name, preference) as first_name,
        min_by(last_name, preference) as last_name,
        min_by(nation_code, preference) filter (where nation_code is not null) as nation_code,
        min_by(location_code, preference) filter (where location_code is not null) as location_code
    from preferred
    group by player_id
),

attendance as (
    select
        player_id,
        count(*) as tournaments_played,
        min(ended_on) as first_played_on,
        max(ended_on) as last_played_on
    from results
    group by player_id
)

select
    facts.*,
    cast(coalesce(attendance.tournaments_played, 0) as integer) as tournaments_played,
    attendance.first_played_on,
    attendance.last_played_on
from facts
left join attendance on facts.player_id = attendance.player_id
