-- Grain: one row per person.
-- Every person in any seed, with the best statement of each fact.
{%- set latest_first = 'stated_on desc nulls first, stated_in desc' %}
{#- A name under an alias goes after those under the person's own id, because it is often misspelt. -#}
{%- set best_name_first = 'greatest(precedence, case when is_own_id then 0 else 3 end), ' ~ latest_first %}

with statements as (
    -- Precedence: the rating keeper, first on the person's own id; tournaments; published rankings; withdrawn results.
    select
        coalesce(aliases.player_id, players.player_id) as player_id,
        players.first_name,
        players.last_name,
        players.nation_code,
        players.location_code,
        players.source,
        case when aliases.player_id is null then 0 else 1 end as precedence,
        aliases.player_id is null as is_own_id,
        cast(null as date) as stated_on,
        players.player_id as stated_in
    from {{ ref('stg_players') }} as players
    left join {{ ref('int_player_aliases') }} as aliases
        on players.player_id = aliases.listed_player_id and aliases.tournament_id is null

    union all

    select
        player_id,
        first_name,
        last_name,
        nation_code,
        location_code,
        null as source,
        case when is_withdrawn then 5 else 2 end as precedence,
        player_id = listed_player_id as is_own_id,
        ended_on as stated_on,
        started_on || ' ' || tournament_id || ' ' || listed_player_id as stated_in
    from {{ ref('int_results') }}

    union all

    select
        player_id,
        first_name,
        last_name,
        nation_code,
        location_code,
        null as source,
        4 as precedence,
        true as is_own_id,
        last_update as stated_on,
        ranking_name as stated_in
    from {{ ref('int_published_ratings') }}
),

preferred as (
    -- Within a precedence the rating keeper goes first, then the latest statement; on one day, the last by the name of
    -- its source and the listed id.
    --
    -- Lists lose accents but never add them. Of spellings that differ only in accents, use the one with the most, which
    -- has the most bytes, unless the rating keeper wrote the name.
    select
        *,
        row_number() over (partition by player_id order by precedence, {{ latest_first }}) as preference,
        row_number() over (partition by player_id order by {{ best_name_first }}) as name_preference,
        {% for name in ['first_name', 'last_name'] -%}
            first_value({{ name }}) over (
                partition by player_id, {{ without_accents(name) }}
                order by precedence = 0 desc, bit_length({{ name }}) desc, {{ best_name_first }}
            ) as spelt_{{ name }}
            {%- if not loop.last %},{% endif %}
        {% endfor %}
    from statements
),

people as (
    select
        player_id,
        min_by(spelt_first_name, name_preference) filter (where first_name is not null) as first_name,
        min_by(spelt_last_name, name_preference) filter (where last_name is not null) as last_name,
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
    from {{ ref('int_results') }}
    where not is_withdrawn
    group by player_id
)

select
    people.player_id,
    {{ player_name('people') }} as player_name,
    people.first_name,
    people.last_name,
    people.nation_code,
    nations.nation_name,
    people.location_code,
    people.known_from,
    cast(coalesce(attendance.tournaments_played, 0) as integer) as tournaments_played,
    attendance.first_played_on,
    attendance.last_played_on
from people
left join {{ ref('stg_nations') }} as nations on people.nation_code = nations.nation_code
left join attendance on people.player_id = attendance.player_id
