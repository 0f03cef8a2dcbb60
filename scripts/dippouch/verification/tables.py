"""The expected content of the published tables: for each its key, and a query on the collection and on tables verified before it.

Ratings come from the published history, whose figures `ledger.py` verifies; rankings repeat them.
"""

from __future__ import annotations

# Rating and rank of every player under every system after their last tournament.
STANDINGS = """
create or replace temp table standings as
select
    rating_system_id, player_id,
    arg_max(rating_after, event_number) as rating,
    cast(count(*) filter (where tournament_value > 0) as integer) as tournaments_counted,
    max(ended_on) as last_played_on
from published.marts.rating_history
group by all;

create or replace temp table ranked as
select
    *,
    cast(rank() over (partition by rating_system_id order by rating desc) as integer) as rank
from standings
where tournaments_counted > 0;
"""

EXPECTED = {
    "tournament_results": (
        ("tournament_id", "listed_player_id"),
        """
        select
            tournament_id, listed_player_id, player_id, placement, percentile_score, listed_name, is_withdrawn,
            people.first_name, people.last_name, people.nation_code
        from results
        inner join people using (player_id)
        left join scores using (players, placement)
        """,
    ),
    "included_tournaments": (
        ("rating_system_id", "tournament_id"),
        """
        select
            rating_system_id, tournament_id, name, ended_on, players, rounds, tournament_value, is_counted, value_rule
        from tournament_values
        inner join tournaments using (tournament_id)
        """,
    ),
    "circuits": (
        ("circuit_id",),
        """
        select circuit_id, name, year, cast(count(tournament_id) as integer) as tournaments
        from ref_circuits
        left join ref_circuit_tournaments using (circuit_id)
        group by all
        """,
    ),
    "circuit_tournaments": (
        ("circuit_id", "tournament_id"),
        """
        select
            circuit_id, tournament_id, tournament_name, source,
            tournament_id in (select tournaments.tournament_id from tournaments) as is_imported
        from ref_circuit_tournaments
        """,
    ),
    "included_circuits": (
        ("rating_system_id", "circuit_id"),
        """
        select
            rating_system_id, circuit_id, circuits.name, year,
            cast(count(steps.tournament_id) as integer) as tournaments,
            cast(count(tournament_value) as integer) as tournaments_imported,
            cast(count(*) filter (where is_counted) as integer) as tournaments_counted,
            tournaments_counted > 0 as is_counted
        from rating_systems
        cross join ref_circuits as circuits
        left join ref_circuit_tournaments as steps using (circuit_id)
        left join tournament_values using (rating_system_id, tournament_id)
        group by all
        """,
    ),
    "rating_systems": (
        ("rating_system_id",),
        """
        select rating_systems.*, max(ended_on) filter (where is_counted) as last_update
        from rating_systems
        left join tournament_values using (rating_system_id)
        left join tournaments using (tournament_id)
        group by all
        """,
    ),
    "published_score_comparison": (
        ("tournament_id", "player_id"),
        # 0.005 allows for the rounding to two decimals, 1e-9 for the arithmetic of doubles.
        """
        select
            tournament_id, player_id, published_score, percentile_score,
            coalesce(abs(percentile_score - published_score) <= 0.005 + 1e-9, false) as agrees
        from counted_results
        left join scores using (players, placement)
        where published_score is not null
        """,
    ),
    "published_coefficient_comparison": (
        ("tournament_id",),
        """
        select
            tournaments.tournament_id, coefficient_1 as published_value, tournament_value,
            is_value_corrected as is_corrected,
            abs(tournament_value - coefficient_1) <= 0.005 + 1e-9 as agrees
        from tournaments
        left join tournament_values
            on tournaments.tournament_id = tournament_values.tournament_id
            and rating_system_id = getvariable('default_system')
        where coefficient_1 is not null and not is_withdrawn
        """,
    ),
    "rating_history": (
        ("rating_system_id", "player_id", "event_number"),
        """
        select
            rating_system_id, player_id, event_number, tournament_id, ended_on, placement, players, percentile_score,
            tournament_value
        from events
        inner join tournament_values using (tournament_id)
        """,
    ),
    "tournaments": (
        ("tournament_id",),
        """
        select
            tournaments.* exclude (is_value_corrected),
            cast(count(results.player_id) as integer) as results_listed,
            cast(count(placement) as integer) as results_with_placement,
            results_listed - results_with_placement as results_without_placement,
            if(any_value(tournaments.players) < results_listed, 0, any_value(tournaments.players) - results_listed) as results_missing,
            any_value(mean_rating_before) as mean_rating_before
        from tournaments
        left join results on tournaments.tournament_id = results.tournament_id and not is_result_withdrawn
        left join (
            select tournament_id, avg(rating_before) as mean_rating_before
            from (
                from published.marts.rating_history
                where rating_system_id = getvariable('default_system')
                qualify max(tournament_value) over (
                    partition by player_id order by event_number rows between unbounded preceding and 1 preceding
                ) > 0
            )
            group by all
        ) as fields on tournaments.tournament_id = fields.tournament_id
        group by all
        """,
    ),
    "international_ranking": (
        ("rating_system_id", "player_id"),
        """
        select
            rating_system_id, player_id, rank, first_name, last_name, nation_code, rating, tournaments_counted,
            last_played_on
        from ranked
        inner join people using (player_id)
        """,
    ),
    "national_ranking": (
        ("rating_system_id", "player_id"),
        """
        select
            rating_system_id, player_id, people.nation_code, nations.name as nation_name, first_name, last_name, rating,
            cast(rank() over (partition by rating_system_id, people.nation_code order by rating desc) as integer)
                as national_rank,
            rank as international_rank
        from ranked
        inner join people using (player_id)
        inner join ref_nations as nations on people.nation_code = upper(nations.nation_code)
        """,
    ),
    "yearly_ranking": (
        ("rating_system_id", "year", "player_id"),
        """
        with year_ends as (
            select
                rating_system_id, player_id, year(ended_on) as played_in,
                arg_max(rating_after, event_number) as rating,
                count(*) filter (where tournament_value > 0) as counted
            from published.marts.rating_history
            group by all
        ),
        -- A rating holds until the year of the next event, or to the last year of the collection.
        spans as (
            select
                *,
                sum(counted) over career as counted_so_far,
                min(played_in) over (partition by rating_system_id) as first_year,
                lead(played_in, 1, (select max(played_in) + 1 from year_ends)) over career as until
            from year_ends
            window career as (partition by rating_system_id, player_id order by played_in)
        ),
        ratings as (
            select
                rating_system_id, player_id, rating,
                unnest(range(greatest(played_in, coalesce(year(counted_from), first_year)), until)) as year
            from spans
            inner join rating_systems using (rating_system_id)
            where counted_so_far > 0
        ),
        ranks as (
            select
                rating_system_id, cast(year as integer) as year, player_id, nation_code, rating,
                cast(rank() over (partition by rating_system_id, year order by rating desc) as integer) as rank
            from ratings
            inner join people using (player_id)
        )
        select
            now.*, earlier.rank as earlier_rank, earlier.rank - now.rank as places_gained,
            now.rating - earlier.rating as rating_gained
        from ranks as now
        left join ranks as earlier
            on now.rating_system_id = earlier.rating_system_id
            and now.player_id = earlier.player_id
            and now.year = earlier.year + 1
        """,
    ),
    "players": (
        ("player_id",),
        """
        select
            people.*,
            cast(count(tournament_id) as integer) as tournaments_played,
            min(ended_on) as first_played_on,
            max(ended_on) as last_played_on,
            any_value(coalesce(standings.rating, initial_rating)) as rating,
            any_value(rank) as international_rank
        from people
        left join counted_results using (player_id)
        left join rating_systems on is_default
        left join standings using (rating_system_id, player_id)
        left join ranked using (rating_system_id, player_id)
        group by all
        """,
    ),
    "published_ranking_comparison": (
        ("ranking_name", "last_update", "player_id"),
        """
        select
            listed.* exclude (first_name, last_name, nation_code, location_code), people.first_name, people.last_name,
            coalesce(standings.rating, initial_rating) as rating,
            coalesce(standings.rating, initial_rating) - published_rating as difference,
            coalesce(tournaments_counted, 0) as tournaments_counted,
            abs(coalesce(standings.rating, initial_rating) - published_rating) <= 0.005 + 1e-9 as agrees
        from listed_ratings as listed
        inner join people using (player_id)
        left join rating_systems on is_default
        left join standings using (rating_system_id, player_id)
        """,
    ),
}
