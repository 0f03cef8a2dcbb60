-- Grain: one row per rating system, player and period of a valid rating.
-- To get the ratings of a day, filter: valid_from <= day and (valid_to > day or valid_to is null).

select * from {{ ref('int_rating_periods') }}
order by rating_system_id, player_id, event_number
