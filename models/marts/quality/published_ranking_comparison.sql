-- Grain: one row per published ranking, last update and player.
-- Our rating at the end of the day of the update, and the reason of a difference. A player's page of the rating lists
-- every tournament behind the published rating, with its value and percentile score.

with published as (
    select * from {{ ref('int_published_ratings') }}
),

ours as (
    -- The tournaments behind our rating of that day.
    select
        published.ranking_name,
        published.last_update,
        published.player_id,
        updates.tournament_id,
        updates.tournament_value,
        updates.percentile_score
    from published
    inner join {{ ref('int_rating_updates') }} as updates
        on published.player_id = updates.player_id and published.last_update >= updates.ended_on
    where updates.rating_system_id = {{ default_system() }} and updates.tournament_value > 0
),

theirs as (
    select distinct
        ranking_name,
        last_update,
        player_id,
        tournament_id,
        published_value,
        published_score
    from {{ ref('int_further_statements') }}
    where ranking_name is not null
),

tournaments as (
    select
        ranking_name,
        last_update,
        player_id,
        tournament_id,
        ours.tournament_id is not null as is_here,
        theirs.tournament_id is not null as is_there,
        case
            when ours.tournament_id is null or theirs.tournament_id is null then null
            when not {{ agrees_with_published('ours.tournament_value', 'theirs.published_value') }}
                then printf(
                    'the value of %s is %.2f there and %.2f here',
                    tournament_id, cast(theirs.published_value as double), ours.tournament_value
                )
            when not {{ agrees_with_published('ours.percentile_score', 'theirs.published_score') }}
                then printf(
                    'the percentile score in %s is %.2f there and %.2f here',
                    tournament_id, cast(theirs.published_score as double), ours.percentile_score
                )
        end as figure
    from ours
    full outer join theirs using (ranking_name, last_update, player_id, tournament_id)
),

careers as (
    select
        ranking_name,
        last_update,
        player_id,
        cast(count(*) filter (where is_here) as integer) as here,
        cast(count(*) filter (where is_here and is_there) as integer) as in_both,
        string_agg(tournament_id, ', ' order by tournament_id) filter (where not is_there) as only_here,
        string_agg(figure, '; ' order by tournament_id) as figures
    from tournaments
    group by ranking_name, last_update, player_id
),

rated as (
    select
        published.* exclude (first_name, last_name, nation_code, location_code, listed_player_id),  -- noqa: RF02
        players.first_name,
        players.last_name,
        coalesce(periods.rating, rating_systems.initial_rating) as rating
    from published
    inner join {{ ref('int_players') }} as players on published.player_id = players.player_id
    inner join {{ ref('stg_rating_systems') }} as rating_systems
        on rating_systems.rating_system_id = {{ default_system() }}
    left join {{ ref('int_rating_periods') }} as periods
        on
            published.player_id = periods.player_id
            and rating_systems.rating_system_id = periods.rating_system_id
            and published.last_update >= periods.valid_from
            and (published.last_update < periods.valid_to or periods.valid_to is null)
),

compared as (
    select
        rated.*,
        rated.rating - rated.published_rating as difference,
        {{ agrees_with_published('rated.rating', 'rated.published_rating') }} as agrees,
        coalesce(careers.here, 0) as tournaments_counted,
        rated.published_tournaments - coalesce(careers.in_both, 0) as tournaments_missing,
        case
            when rated.published_tournaments is not null then tournaments_missing = 0 and careers.only_here is null
        end as is_career_complete,
        careers.only_here,
        careers.figures
    from rated
    left join careers
        on
            rated.ranking_name = careers.ranking_name
            and rated.last_update = careers.last_update
            and rated.player_id = careers.player_id
),

explained as (
    select
        *,
        case
            when agrees then 'agrees'
            when tournaments_missing > 0 then 'tournaments missing here'
            when published_tournaments is null then 'tournaments not known'
            when figures is not null or only_here is null then 'figure differs'
            else 'tournaments not listed there'
        end as reason
    from compared
)

select
    * exclude (only_here, figures),
    case reason
        when 'agrees' then 'the published rating is reproduced'
        when 'tournaments missing here'
            then printf(
                'tournaments on the player''s page: %d; missing here or not counted: %d',
                published_tournaments, tournaments_missing
            )
        when 'tournaments not known' then 'no page of the player that lists the tournaments was imported'
        when 'tournaments not listed there' then 'the player''s page does not list ' || only_here
        when 'figure differs' then coalesce(figures, 'the published rating does not follow from the listed tournaments')
    end as note
from explained
order by ranking_name, last_update, published_rank, player_id
