-- Grain: one row per tournament.
-- Its facts after the rating keeper's corrections.

with corrections as (
    select
        tournament_id,
        {% for field in var('correctable').raw_tournaments + ['withdrawn'] -%}
            max(corrected_value) filter (where field = '{{ field }}') as {{ field }},
        {% endfor -%}
        -- A restored tournament, or one with only reverted corrections, is not corrected.
        count(case when field != 'withdrawn' or corrected_value = 'true' then corrected_value end) > 0 as is_corrected,
        count(case when field = 'players' then corrected_value end) > 0 as are_players_corrected,
        -- The facts that give the value; the days go together.
        count(case
            when field in ('players', 'rounds', 'started_on', 'ended_on', 'kind') then corrected_value
        end) > 0 as is_value_corrected
    from {{ ref('stg_corrections') }}
    where is_current and listed_player_id is null
    group by tournament_id
),

corrected as (
    select
        tournaments.tournament_id,
        tournaments.source_tournament_id,
        coalesce(corrections.name, tournaments.tournament_name) as tournament_name,
        coalesce(corrections.subtitle, tournaments.subtitle) as subtitle,
        nullif(upper(coalesce(corrections.kind, tournaments.kind)), 'NONE') as kind,
        coalesce(cast(corrections.started_on as date), tournaments.started_on) as started_on,
        coalesce(cast(corrections.ended_on as date), tournaments.ended_on) as ended_on,
        coalesce(corrections.place, tournaments.place) as place,
        upper(coalesce(corrections.nation_code, tournaments.nation_code)) as nation_code,
        coalesce(cast(corrections.players as integer), tournaments.players) as players,
        coalesce(cast(corrections.rounds as integer), tournaments.rounds) as rounds,
        coalesce(cast(corrections.boards as integer), tournaments.boards) as boards,
        coalesce(corrections.withdrawn = 'true', false) as is_withdrawn,
        coalesce(corrections.is_corrected, false) as is_corrected,
        coalesce(corrections.are_players_corrected, false) as are_players_corrected,
        coalesce(corrections.is_value_corrected, false) as is_value_corrected,
        tournaments.coefficient_1,
        tournaments.coefficient_2,
        tournaments.coefficient_3,
        tournaments.source_document,
        tournaments.source_sha256,
        tournaments.source_form,
        tournaments.source_last_update
    from {{ ref('stg_tournaments') }} as tournaments
    left join corrections on tournaments.tournament_id = corrections.tournament_id
)

select
    corrected.*,
    nations.nation_name,
    kinds.kind_name,
    -- A kind that is unknown or missing is not a World Championship.
    coalesce(kinds.is_world_championship, false) as is_world_championship
from corrected
left join {{ ref('stg_nations') }} as nations on corrected.nation_code = nations.nation_code
left join {{ ref('stg_tournament_kinds') }} as kinds on corrected.kind = kinds.kind
