-- Grain: one row per tournament and game score that players have at more than one placement.
-- Placements after corrections, without withdrawn results.

select
    tournament_id,
    tournament_name,
    -- One tournament may print a number as 12 and as 12.0.
    min(game_score) as game_score,
    array_to_string(list(distinct placement order by placement), ', ') as placements,
    cast(count(*) as integer) as results
from {{ ref('int_results') }}
-- A text without a digit, such as `none`, is no score.
where not is_withdrawn and placement is not null and regexp_matches(game_score, '[0-9]')
group by
    tournament_id,
    tournament_name,
    coalesce(cast(try_cast(replace(game_score, ',', '.') as double) as varchar), game_score)
having count(distinct placement) > 1
order by tournament_id, game_score
