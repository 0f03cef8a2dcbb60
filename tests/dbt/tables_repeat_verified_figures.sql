-- The verification recomputes results, values, the history and the rankings from the seeds. Other tables repeat their
-- figures, and the names of players: a repeated figure that differs would be published unseen.

with defaults as (
    select * from {{ ref('rating_systems') }}
    where is_default
),

ranking as (
    select international_ranking.*
    from {{ ref('international_ranking') }} as international_ranking
    inner join defaults on international_ranking.rating_system_id = defaults.rating_system_id
)

select
    'players' as repeated_in,
    players.player_id as of_row
from {{ ref('players') }} as players
left join ranking on players.player_id = ranking.player_id
where
    players.international_rank is distinct from ranking.rank
    or (ranking.rating is not null and players.rating is distinct from ranking.rating)

union all

select
    'international_ranking' as repeated_in,
    ranking.player_id as of_row
from {{ ref('international_ranking') }} as ranking
left join {{ ref('players') }} as players on ranking.player_id = players.player_id
where
    ranking.first_name is distinct from players.first_name
    or ranking.last_name is distinct from players.last_name
    or ranking.nation_code is distinct from players.nation_code

union all

select
    'published_ranking_comparison' as repeated_in,
    compared.player_id as of_row
from {{ ref('published_ranking_comparison') }} as compared
left join {{ ref('players') }} as players on compared.player_id = players.player_id
where compared.rating is distinct from players.rating

union all

select
    'published_score_comparison' as repeated_in,
    compared.player_id as of_row
from {{ ref('published_score_comparison') }} as compared
left join {{ ref('tournament_results') }} as results
    on
        compared.tournament_id = results.tournament_id
        and compared.player_id = results.player_id
        and not results.is_withdrawn
where compared.percentile_score is distinct from results.percentile_score

union all

select
    'published_coefficient_comparison' as repeated_in,
    compared.tournament_id as of_row
from {{ ref('published_coefficient_comparison') }} as compared
cross join defaults
left join {{ ref('included_tournaments') }} as included
    on
        compared.tournament_id = included.tournament_id
        and defaults.rating_system_id = included.rating_system_id
where compared.tournament_value is distinct from included.tournament_value

union all

select
    'yearly_ranking' as repeated_in,
    now.player_id as of_row
from {{ ref('yearly_ranking') }} as now
left join {{ ref('yearly_ranking') }} as earlier
    on
        now.rating_system_id = earlier.rating_system_id
        and now.player_id = earlier.player_id
        and now.year = earlier.year + 1
where
    now.earlier_rank is distinct from earlier.rank
    or now.places_gained is distinct from earlier.rank - now.rank
    or now.rating_gained is distinct from now.rating - earlier.rating
