-- Grain: one row per rating system, player and event number.
-- The facts of each tournament, its ratings from the ledger, and the place that the ratings before it predict.

with events as (
    select
        updates.*,
        ledger.rating_before,
        ledger.rating_after,
        {{ to_nine_decimals('ledger.rating_before') }} as compared_rating
    from {{ ref('int_rating_updates') }} as updates
    inner join {{ ref('int_rating_ledger') }} as ledger on updates.update_number = ledger.update_number
),

fields as (
    -- Tied players share the mean of the places that the tie occupies: its first place plus half of the others.
    select
        *,
        count(*) over (partition by rating_system_id, tournament_id) as listed_players,
        count(case when was_ranked then 1 end) over (partition by rating_system_id, tournament_id) as ranked_before,
        rank() over (
            partition by rating_system_id, tournament_id
            order by placement
        ) + (count(*) over (partition by rating_system_id, tournament_id, placement) - 1) / 2 as listed_place,
        rank() over (
            partition by rating_system_id, tournament_id
            order by compared_rating desc
        ) + (count(*) over (partition by rating_system_id, tournament_id, compared_rating) - 1) / 2 as place_by_rating
    from events
)

select
    fields.rating_system_id,
    fields.player_id,
    players.player_name,
    fields.event_number,
    fields.tournament_id,
    fields.tournament_name,
    fields.ended_on,
    fields.placement,
    fields.players,
    fields.percentile_score,
    fields.tournament_value,
    fields.is_counted,
    fields.rating_before,
    -- The ledger's own step, bit for bit: rating_after is rating_before plus this.
    {{ rating_change('fields.rating_before', 'fields.percentile_score', 'fields.tournament_value') }} as rating_change,
    fields.rating_after,
    cast(fields.listed_players as integer) as listed_players,
    fields.listed_place,
    -- Among unranked players, who all have the initial rating, nothing is expected.
    case when 2 * fields.ranked_before >= fields.listed_players then fields.place_by_rating end as expected_place,
    expected_place - fields.listed_place as places_better
from fields
inner join {{ ref('int_players') }} as players on fields.player_id = players.player_id
-- Updates are numbered by system, player and event number.
order by fields.update_number
