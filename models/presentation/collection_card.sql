-- Grain: one row per site: the header and footer of every page, and the counts of the page about quality.

with last_counted as (
    select
        arg_max(history.tournament_id, (ended_on, events.started_on, tournament_id)) as last_counted_tournament_id,
        arg_max(history.tournament_name, (ended_on, events.started_on, tournament_id)) as last_counted_tournament_name,
        arg_max_null(events.stated_period, (ended_on, events.started_on, tournament_id)) as last_counted_period
    from {{ of_default_system('rating_history') }} as history
    inner join {{ mart('tournaments') }} as events using (tournament_id, tournament_name, ended_on)
    where history.is_counted
),

included as (
    select
        cast(count(*) filter (where is_counted) as integer) as tournaments_counted,
        cast(count(agrees) as integer) as printed_values,
        cast(count(*) filter (where agrees) as integer) as agreeing_values
    from {{ of_default_system('included_tournaments') }} as included
),

ranked as (
    select
        cast(count(*) as integer) as ranked_players,
        cast(count(active_rank) as integer) as active_players
    from {{ of_default_system('international_ranking') }} as ranking
),

listed as (
    select
        cast(count(*) filter (where is_complete) as integer) as complete_tournaments,
        cast(coalesce(sum(results_with_placement), 0) as integer) as results_with_placement,
        cast(coalesce(sum(results_without_placement), 0) as integer) as results_without_placement,
        cast(coalesce(sum(results_missing), 0) as integer) as results_missing
    from {{ mart('tournaments') }}
    where not is_withdrawn
),

printed_scores as (
    select
        cast(count(*) as integer) as printed_scores,
        cast(count(*) filter (where agrees) as integer) as agreeing_scores
    from {{ mart('published_score_comparison') }}
),

published_ratings as (
    select
        cast(count(*) as integer) as published_ratings,
        cast(count(*) filter (where reason = 'agrees') as integer) as reproduced_ratings
    from {{ mart('published_ranking_comparison') }}
    where reason != 'continued here'
)

select
    settings.*,
    rating_systems.name as rating_system_name,
    rating_systems.author as rating_system_author,
    rating_systems.last_update,
    publication.seeds_sha256,
    publication.code_version,
    publication.tournaments,
    publication.results,
    publication.people,
    included.*,
    last_counted.*,
    ranked.*,
    cast((select count(*) from {{ mart('nations') }}) as integer) as nations,
    cast((select count(distinct players.nation_code) from {{ mart('players') }}) as integer) as nations_of_people,
    listed.*,
    printed_scores.*,
    published_ratings.*,
    cast((select count(*) from {{ mart('source_contradictions') }}) as integer) as contradictions
from {{ mart('settings') }} as settings
inner join {{ mart('rating_systems') }} as rating_systems on settings.rating_system_id = rating_systems.rating_system_id
cross join {{ mart('publication') }} as publication
cross join included
cross join last_counted
cross join ranked
cross join listed
cross join printed_scores
cross join published_ratings
