-- Grain: one row per last update and player of the published ranking that the default rating system reproduces.
-- Our rating at the end of the day of the update, and the reason of a difference. A player's page of the rating lists
-- every tournament behind the published rating, with its value and percentile score.

with ours as (
    -- The tournaments behind our rating of that day.
    select
        published.ranking_name,
        published.last_update,
        updates.*
    from {{ ref('int_published_ratings') }} as published
    inner join {{ ref('int_rating_updates') }} as updates
        on published.player_id = updates.player_id and published.last_update >= updates.ended_on
    where updates.rating_system_id = {{ default_system() }} and updates.is_counted
),

theirs as (
    -- The lines of players' pages that state the published rating, too: of each figure the first statement.
    select
        pages.ranking_name,
        pages.last_update,
        results.player_id,
        results.tournament_id,
        min_by(tournaments.coefficient_1, results.precedence) as published_value,
        min_by(results.published_score, results.precedence) as published_score
    from {{ ref('int_result_statements') }} as results
    inner join {{ ref('stg_published_rankings') }} as pages using (document_id)
    inner join {{ ref('stg_tournaments') }} as tournaments using (document_id, tournament_id)
    where results.about = 'player'
    group by all
),

careers as (
    select
        ranking_name,
        last_update,
        player_id,
        cast(count(ours.tournament_id) as integer) as here,
        cast(count(ours.tournament_id) filter (where theirs.tournament_id is not null) as integer) as in_both,
        string_agg(tournament_id, ', ' order by tournament_id) filter (where theirs.tournament_id is null) as only_here,
        string_agg(case
            {%- for figure, here, there in [
                ('the value of', 'ours.tournament_value', 'theirs.published_value'),
                ('the percentile score in', 'ours.percentile_score', 'theirs.published_score'),
            ] %}
                when {{ there }} is not null and not {{ agrees_with_published(here, there) }}
                    then printf(
                        '{{ figure }} %s is %.2f there and %.2f here',
                        tournament_id, cast({{ there }} as double), {{ here }}
                    )
            {%- endfor %}
        end, '; ' order by tournament_id) as figures
    from ours
    full outer join theirs using (ranking_name, last_update, player_id, tournament_id)
    group by ranking_name, last_update, player_id
),

swaps as (
    -- How much our rating would differ if two tournaments that ended on one day were applied in the other order:
    -- the product of their values and the difference of their percentile scores, less what later tournaments take away.
    select
        *,
        lag(tournament_id) over career as before_id,
        lag(tournament_value) over career * tournament_value / 10000
        * (lag(percentile_score) over career - percentile_score)
        * coalesce(product(1 - tournament_value / 100) over (
            career rows between 1 following and unbounded following
        ), 1) as effect
    from ours
    window career as (partition by ranking_name, last_update, player_id order by event_number)
    qualify lag(ended_on) over career = ended_on
),

compared as (
    select
        published.* exclude (document_id, listed_player_id, first_name, last_name, nation_code, location_code),  -- noqa
        players.player_name,
        players.first_name,
        players.last_name,
        coalesce(periods.rating, rating_systems.initial_rating) as rating,
        coalesce(careers.here, 0) as tournaments_counted,
        published.published_tournaments - coalesce(careers.in_both, 0) as tournaments_missing,
        careers.only_here,
        careers.figures,
        swaps.before_id,
        swaps.tournament_id as after_id,
        {{ agrees_with_published('periods.rating + swaps.effect', 'published.published_rating') }} as is_swapped,
        -- The system starts with these ratings, so that they agree says nothing.
        published.ranking_name = rating_systems.opening_ranking
        and published.last_update = rating_systems.opened_on as is_continued
    from {{ ref('int_published_ratings') }} as published
    inner join {{ ref('int_players') }} as players using (player_id)
    left join careers using (ranking_name, last_update, player_id)
    left join swaps using (ranking_name, last_update, player_id)
    inner join {{ ref('int_rating_systems') }} as rating_systems
        on rating_systems.rating_system_id = {{ default_system() }}
    -- The last period that began by that day.
    asof left join {{ ref('int_rating_periods') }} as periods
        on
            rating_systems.rating_system_id = periods.rating_system_id
            and published.player_id = periods.player_id
            and published.last_update >= periods.valid_from
    where published.ranking_name = coalesce(rating_systems.reproduced_ranking, rating_systems.opening_ranking)
    -- If two such pairs explain a difference, any of them will do.
    qualify row_number() over (
        partition by published.ranking_name, published.last_update, published.player_id
        order by is_swapped desc, after_id asc
    ) = 1
)

select
    * exclude (
        tournaments_counted, tournaments_missing, only_here, figures, before_id, after_id, is_swapped, is_continued
    ),
    rating - published_rating as difference,
    {{ agrees_with_published('rating', 'published_rating') }} as agrees,
    tournaments_counted,
    tournaments_missing,
    case
        when published_tournaments is not null then tournaments_missing = 0 and only_here is null
    end as is_career_complete,
    case
        when is_continued then 'continued here'
        when agrees then 'agrees'
        when tournaments_missing > 0 then 'tournaments missing here'
        when published_tournaments is null then 'tournaments not known'
        when figures is null and only_here is null and is_swapped then 'order within a day differs'
        when figures is not null or only_here is null then 'figure differs'
        else 'tournaments not listed there'
    end as reason,
    case reason
        when 'continued here' then 'the rating system starts with this rating'
        when 'agrees' then 'the published rating is reproduced'
        when 'tournaments missing here'
            then printf(
                'tournaments on the player''s page: %d; missing here or not counted: %d',
                published_tournaments, tournaments_missing
            )
        when 'tournaments not known' then 'no page of the player that lists the tournaments was imported'
        when 'tournaments not listed there' then 'the player''s page does not list ' || only_here
        when 'order within a day differs'
            then printf('reproduced with %s applied before %s, which ended on the same day', after_id, before_id)
        when 'figure differs' then coalesce(figures, 'the published rating does not follow from the listed tournaments')
    end as explanation
from compared
order by ranking_name, last_update, published_rank, player_id
