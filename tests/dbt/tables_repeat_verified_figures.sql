-- The verification recomputes results, values, the history and the rankings from the seeds. Other tables repeat their
-- figures, and the names of players: a repeated figure that differs would be published unseen.

with ranking as (
    select * from {{ of_default_system('international_ranking') }}
),

history as (
    select * from {{ of_default_system('rating_history') }}
),

ratings_of_updates as (
    select
        compared.ranking_name,
        compared.last_update,
        compared.player_id,
        max_by(history.rating_after, history.event_number) as rating
    from {{ ref('published_ranking_comparison') }} as compared
    inner join history on compared.player_id = history.player_id and compared.last_update >= history.ended_on
    group by compared.ranking_name, compared.last_update, compared.player_id
)

select
    'players' as repeated_in,
    players.player_id as of_row
from {{ ref('players') }} as players
left join ranking using (player_id)
where
    players.international_rank is distinct from ranking.rank
    or players.rating is distinct from coalesce(ranking.rating, players.rating)

union all

select
    'international_ranking' as repeated_in,
    concat_ws(' ', ranking.rating_system_id, ranking.player_id) as of_row
from {{ ref('international_ranking') }} as ranking
left join {{ ref('players') }} as players using (player_id)
where
    (ranking.first_name, ranking.last_name, ranking.nation_code)
    is distinct from (players.first_name, players.last_name, players.nation_code)

union all

-- A player without a tournament before the update has no rating in the history.
select
    'published_ranking_comparison' as repeated_in,
    concat_ws(' ', ranking_name, last_update, player_id) as of_row
from {{ ref('published_ranking_comparison') }} as compared
inner join ratings_of_updates using (ranking_name, last_update, player_id)
where compared.rating is distinct from ratings_of_updates.rating

union all

select
    'published_score_comparison' as repeated_in,
    concat_ws(' ', tournament_id, player_id) as of_row
from {{ ref('published_score_comparison') }} as compared
left join {{ ref('tournament_results') }} as results using (tournament_id, player_id)
where results.is_withdrawn or compared.percentile_score is distinct from results.percentile_score

union all

select
    'yearly_ranking' as repeated_in,
    concat_ws(' ', this_year.rating_system_id, this_year.player_id, this_year.year) as of_row
from {{ ref('yearly_ranking') }} as this_year
left join {{ ref('yearly_ranking') }} as year_before
    on
        this_year.rating_system_id = year_before.rating_system_id
        and this_year.player_id = year_before.player_id
        and this_year.year = year_before.year + 1
where
    this_year.earlier_rank is distinct from year_before.rank
    or this_year.places_gained is distinct from year_before.rank - this_year.rank
    or this_year.rating_gained is distinct from this_year.rating - year_before.rating
