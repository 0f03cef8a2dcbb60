-- Grain: one row per person.
-- Every person in any seed, with the best statement of each fact.

with statements as (
    -- Precedence: the rating keeper's statement with its source, tournaments under the person's own id, both under an
    -- alias, published rankings, withdrawn results.
    select
        coalesce(aliases.player_id, players.player_id) as player_id,
        players.first_name,
        players.last_name,
        players.nation_code,
        players.location_code,
        players.source,
        case when aliases.player_id is null then 1 else 3 end as precedence,
        -- Sorts after every date.
        'rating keeper ' || players.player_id as stated
    from {{ ref('stg_players') }} as players
    left join {{ ref('int_player_aliases') }} as aliases
        on
            players.player_id = aliases.listed_player_id
            and aliases.tournament_id is null

    union all

    -- Keep only the latest of equal statements: a career has many results but few spellings.
    select
        player_id,
        first_name,
        last_name,
        nation_code,
        location_code,
        null as source,
        case
            when is_withdrawn then 5
            when player_id = listed_player_id then 2
            else 3
        end as precedence,
        max(cast(ended_on as string) || ' ' || tournament_id || ' ' || listed_player_id) as stated
    from {{ ref('int_scored_results') }}
    group by player_id, first_name, last_name, nation_code, location_code, precedence

    union all

    select
        player_id,
        first_name,
        last_name,
        nation_code,
        location_code,
        null as source,
        4 as precedence,
        coalesce(cast(last_update as string), '') || ' ' || ranking_name as stated
    from {{ ref('int_published_ratings') }}
),

preferred as (
    -- Within a precedence the latest statement wins; on one day, the last by the name of its source and the listed id.
    select
        *,
        row_number() over (
            partition by player_id
            order by precedence asc, stated desc
        ) as preference
    from statements
),

spellings as (
    select
        player_id,
        first_name,
        last_name,
        min(preference) as preference,
        min(precedence) = 1 as is_decided
    from preferred
    group by player_id, first_name, last_name
),

spelt as (
    -- Lists lose accents but never add them. Of spellings that differ only in accents, use the one with the most,
    -- unless the rating keeper wrote the name.
    select
        player_id,
        preference,
        first_value(first_name) over (
            partition by player_id, {{ without_accents('first_name') }}
            order by is_decided desc, {{ letters_beyond_ascii('first_name') }} desc, preference asc
        ) as first_name,
        first_value(last_name) over (
            partition by player_id, {{ without_accents('last_name') }}
            order by is_decided desc, {{ letters_beyond_ascii('last_name') }} desc, preference asc
        ) as last_name
    from spellings
),

names as (
    select
        player_id,
        min_by(first_name, preference) filter (where first_name is not null) as first_name,
        min_by(last_name, preference) filter (where last_name is not null) as last_name
    from spelt
    group by player_id
),

facts as (
    select
        player_id,
        min_by(nation_code, preference) filter (where nation_code is not null) as nation_code,
        min_by(location_code, preference) filter (where location_code is not null) as location_code,
        min_by(source, preference) filter (where source is not null) as known_from
    from preferred
    group by player_id
),

attendance as (
    select
        player_id,
        count(*) as tournaments_played,
        min(ended_on) as first_played_on,
        max(ended_on) as last_played_on
    from {{ ref('int_scored_results') }}
    where not is_withdrawn
    group by player_id
)

select
    names.player_id,
    names.first_name,
    names.last_name,
    facts.nation_code,
    facts.location_code,
    facts.known_from,
    cast(coalesce(attendance.tournaments_played, 0) as integer) as tournaments_played,
    attendance.first_played_on,
    attendance.last_played_on
from names
inner join facts on names.player_id = facts.player_id
left join attendance on names.player_id = attendance.player_id
