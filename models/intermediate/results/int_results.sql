-- Grain: one row per tournament and listed player.
-- The first statement of each fact, after the rating keeper's corrections, and the percentile score of the placement.
-- Correcting a name does not change an id.

with facts as (
    select
        tournament_id,
        listed_player_id,
        -- A name is one fact. `about` is that of a table if any lists the person: tables go before players' pages.
        {% for fact in ['document_id', 'player_id', 'listed_name', 'first_name', 'last_name', 'about'] -%}
            max({{ fact }}) filter (where preference = 1) as {{ fact }},
        {% endfor -%}
        {% for fact in ['source_player_ids', 'nation_code', 'location_code', 'placement', 'game_score'] -%}
            min_by({{ fact }}, preference) filter (where {{ fact }} is not null) as {{ fact }},
        {% endfor -%}
        -- A player's page computes the score from its own facts, which may not hold.
        min_by(published_score, preference) filter (
            where published_score is not null and about = 'tournament'
        ) as published_score
    from {{ ref('int_result_statements') }}
    where not is_doubtful
    group by tournament_id, listed_player_id
),

corrections as (
    select
        tournament_id,
        listed_player_id,
        {% for field in var('correctable').raw_results -%}
            max(corrected_value) filter (where field = '{{ field }}') as {{ field }},
        {% endfor -%}
        max(corrected_value) filter (where field = 'withdrawn') as withdrawn
    from {{ ref('stg_corrections') }}
    where is_current and listed_player_id is not null
    group by tournament_id, listed_player_id
),

corrected as (
    select
        results.tournament_id,
        results.player_id,
        results.listed_player_id,
        results.document_id,
        split_part(results.source_player_ids, ' ', 1) as source_player_id,

        results.listed_name,
        coalesce(corrections.first_name, results.first_name) as first_name,
        coalesce(corrections.last_name, results.last_name) as last_name,
        upper(coalesce(corrections.nation_code, results.nation_code)) as nation_code,
        upper(coalesce(corrections.location_code, results.location_code)) as location_code,

        tournaments.tournament_name,
        tournaments.started_on,
        tournaments.ended_on,
        tournaments.players,
        case
            when corrections.placement is null then results.placement
            else cast(nullif(corrections.placement, 'none') as integer)
        end as placement,
        results.published_score,
        results.game_score,
        results.about as listed_by,
        corrections.placement is not null or tournaments.are_players_corrected as is_corrected,
        coalesce(corrections.withdrawn = 'true', false) as is_result_withdrawn,
        coalesce(corrections.withdrawn = 'true', false) or tournaments.is_withdrawn as is_withdrawn
    from facts as results
    inner join {{ ref('int_tournaments') }} as tournaments using (tournament_id)
    left join corrections using (tournament_id, listed_player_id)
)

select
    *,
    -- Null if the tournament declares no number of players, or the person has no placement.
    {{ percentile_score('players', 'placement') }} as percentile_score
from corrected
