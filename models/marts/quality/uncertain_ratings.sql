-- Grain: one row per rating system, player, and tournament of which only a year or a month is stated.
-- The rating if the tournament took place first in that period, where it differs by more than 0.1.
-- A tournament of share v and score p moves a rating r by v * (p - r), and keeps 1 - v of every earlier move.

with events as (
    select
        updates.*,
        tournaments.started_on,
        tournaments.stated_period,
        ledger.rating_before,
        1 - updates.tournament_value / 100 as kept,
        coalesce(
            tournaments.started_on < if(tournaments.is_world_championship, rules.opened_on + 1, rules.counted_from),
            false
        ) as is_uncounted_if_first
    from {{ ref('int_rating_updates') }} as updates
    inner join {{ ref('int_rating_ledger') }} as ledger using (update_number)
    inner join {{ ref('int_tournaments') }} as tournaments using (tournament_id)
    inner join {{ ref('int_rating_systems') }} as rules using (rating_system_id)
),

moved as (
    select
        undated.*,
        min_by(other.rating_before, other.event_number) as first_rating,
        coalesce(product(other.kept) filter (where other.event_number < undated.event_number), 1) as kept_by_earlier,
        coalesce(product(other.kept) filter (where other.event_number > undated.event_number), 1) as kept_by_later
    from events as undated
    inner join events as other using (rating_system_id, player_id)
    where undated.stated_period is not null and other.ended_on >= undated.started_on
    group by all
)

select
    moved.rating_system_id,
    moved.player_id,
    players.player_name,
    moved.tournament_id,
    moved.tournament_name,
    moved.stated_period,
    moved.ended_on,
    ratings.rating,
    ratings.rating + (1 - moved.kept) * moved.kept_by_later * (
        if(moved.is_uncounted_if_first, 0, moved.kept_by_earlier * (moved.percentile_score - moved.first_rating))
        - (moved.percentile_score - moved.rating_before)
    ) as rating_if_first
from moved
inner join {{ ref('int_players') }} as players using (player_id)
inner join {{ ref('int_current_ratings') }} as ratings using (rating_system_id, player_id)
where abs(rating_if_first - ratings.rating) > 0.1
order by moved.rating_system_id, moved.player_id, moved.tournament_id
