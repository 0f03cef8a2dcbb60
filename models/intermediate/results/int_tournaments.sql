-- Grain: one row per tournament.
-- The first statement of each fact, after the rating keeper's corrections.

with facts as (
    select
        tournament_id,
        {% for fact in [
            'document_id', 'tournament_name', 'source_document', 'source_sha256', 'source_form', 'last_update'
        ] -%}
            max({{ fact }}) filter (where preference = 1) as {{ fact }},
        {% endfor -%}
        {% for fact in ['source_tournament_ids', 'subtitle', 'place', 'nation_code', 'players', 'rounds', 'boards'] -%}
            min_by({{ fact }}, preference) filter (where {{ fact }} is not null) as {{ fact }},
        {% endfor -%}
        -- A document that states the days, or the month of a year, goes before one that states the whole year.
        {% for fact in ['started_on', 'ended_on'] -%}
            min_by({{ fact }}, preference) filter (where is_refined is not true) as {{ fact }},
        {% endfor -%}
        -- A player's page gives no kind to a tournament with a table.
        {% for fact in ['kind', 'proved_kind'] -%}
            min_by({{ fact }}, preference) filter (
                where {{ fact }} is not null and (about = 'tournament' or tables = 0)
            ) as {{ fact }},
        {% endfor -%}
        -- A player's page computes the value from its own facts, which may not hold.
        {% for fact in ['coefficient_1', 'coefficient_2', 'coefficient_3'] -%}
            min_by({{ fact }}, preference) filter (where {{ fact }} is not null and about = 'tournament') as {{ fact }},
        {% endfor -%}
        min_by(proved_rounds, preference) filter (where proved_rounds is not null) as proved_rounds
    from {{ ref('int_tournament_statements') }}
    group by tournament_id
),

corrections as (
    select
        tournament_id,
        {% for field in var('correctable').raw_tournaments + ['withdrawn'] -%}
            max(corrected_value) filter (where field = '{{ field }}') as {{ field }},
        {% endfor -%}
        -- A restored tournament, or one with only reverted corrections, is not corrected.
        count(case when field != 'withdrawn' or corrected_value = 'true' then corrected_value end) > 0 as is_corrected
    from {{ ref('stg_corrections') }}
    where is_current and listed_player_id is null
    group by tournament_id
),

corrected as (
    select
        facts.tournament_id,
        facts.document_id,
        split_part(facts.source_tournament_ids, ' ', 1) as source_tournament_id,
        coalesce(corrections.name, facts.tournament_name) as tournament_name,
        coalesce(corrections.subtitle, facts.subtitle) as subtitle,
        nullif(upper(coalesce(corrections.kind, facts.kind, facts.proved_kind)), 'NONE') as kind,
        coalesce(cast(corrections.started_on as date), facts.started_on) as started_on,
        coalesce(cast(corrections.ended_on as date), facts.ended_on) as ended_on,
        coalesce(corrections.place, facts.place) as place,
        upper(coalesce(corrections.nation_code, facts.nation_code)) as nation_code,
        coalesce(cast(corrections.players as integer), facts.players) as players,
        coalesce(cast(corrections.rounds as integer), facts.rounds, facts.proved_rounds) as rounds,
        coalesce(cast(corrections.boards as integer), facts.boards) as boards,
        coalesce(corrections.withdrawn = 'true', false) as is_withdrawn,
        coalesce(corrections.is_corrected, false) as is_corrected,
        corrections.players is not null as are_players_corrected,
        -- The facts that give the value; the days go together.
        coalesce(
            corrections.players, corrections.rounds, corrections.started_on, corrections.ended_on, corrections.kind
        ) is not null as is_value_corrected,
        facts.coefficient_1,
        facts.coefficient_2,
        facts.coefficient_3,
        facts.source_document,
        facts.source_sha256,
        facts.source_form,
        facts.last_update as source_last_update
    from facts
    left join corrections on facts.tournament_id = corrections.tournament_id
)

select
    corrected.*,
    {{ stated_period() }} as stated_period,
    nations.nation_name,
    kinds.kind_name,
    -- A kind that is unknown or missing is not a World Championship.
    coalesce(kinds.is_world_championship, false) as is_world_championship
from corrected
left join {{ ref('stg_nations') }} as nations on corrected.nation_code = nations.nation_code
left join {{ ref('stg_tournament_kinds') }} as kinds on corrected.kind = kinds.kind
