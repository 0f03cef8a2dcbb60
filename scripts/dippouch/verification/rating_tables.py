"""The published tables that ratings flow into, row by row from everybody's ledger."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from datetime import date

from dippouch.rating.rules import RatingRules
from dippouch.verification.inputs import Person, ScoredResult, Tournament, text_or_none
from dippouch.verification.ledger import Career, ranked, value_of, value_rule_of
from dippouch.verification.table_types import ExpectedTable, FixedPoint, Rows, fixed_point


def _named(person: Person) -> tuple[str | None, str | None, str | None]:
    return person.first_name, person.last_name, person.nation_code


def tournament_results(results: list[ScoredResult], people: dict[str, Person]) -> ExpectedTable:
    """Every result, with the person behind it and the percentile score."""
    rows: Rows = (
        (
            (result.tournament.tournament_id, result.player_id),
            (result.placement, *_named(people[result.player_id]), fixed_point(result.score), result.listed_name),
        )
        for result in results
    )
    columns = ("placement", "first_name", "last_name", "nation_code", "percentile_score", "listed_name")
    return ExpectedTable("tournament_results", ("tournament_id", "player_id"), columns, rows)


def included_tournaments(systems: dict[str, RatingRules], tournaments: Iterable[Tournament]) -> ExpectedTable:
    """What every rating system makes of every tournament."""
    ordered = sorted(tournaments, key=lambda tournament: tournament.tournament_id)

    def rows() -> Rows:
        for system, rules in sorted(systems.items()):
            for tournament in ordered:
                value = value_of(rules, tournament)
                yield (
                    (system, tournament.tournament_id),
                    (
                        text_or_none(tournament.stated["name"]),
                        tournament.ended_on,
                        tournament.players,
                        tournament.rounds,
                        FixedPoint.of(value),
                        value > 0,
                        value_rule_of(rules, tournament),
                    ),
                )

    columns = ("name", "ended_on", "players", "rounds", "tournament_value", "is_counted", "value_rule")
    return ExpectedTable("included_tournaments", ("rating_system_id", "tournament_id"), columns, rows())


def rating_history(system: str, careers: dict[str, Career]) -> ExpectedTable:
    """Every line of the ledger under one rating system."""

    def rows() -> Rows:
        for player_id, career in careers.items():
            for number, step in enumerate(career, start=1):
                event = step.result
                yield (
                    (system, player_id, number),
                    (
                        event.tournament.tournament_id,
                        event.tournament.ended_on,
                        event.placement,
                        event.tournament.players,
                        fixed_point(event.score),
                        FixedPoint.of(step.value),
                        step.before,
                        FixedPoint(step.after - step.before),
                        step.after,
                    ),
                )

    return ExpectedTable(
        "rating_history",
        ("rating_system_id", "player_id", "event_number"),
        (
            "tournament_id",
            "ended_on",
            "placement",
            "players",
            "percentile_score",
            "tournament_value",
            "rating_before",
            "rating_change",
            "rating_after",
        ),
        rows(),
        system,
    )


def rankings(
    system: str, careers: dict[str, Career], people: dict[str, Person], nations: dict[str, str], near: FixedPoint
) -> Iterator[ExpectedTable]:
    """The international and the national ranking of one rating system."""
    last = {player_id: career[-1] for player_id, career in careers.items() if career[-1].counted}
    ranks = ranked({player_id: step.after for player_id, step in last.items()}, near)
    international: Rows = (
        (
            (system, player_id),
            (ranks[player_id], *_named(people[player_id]), step.after, step.counted, step.result.tournament.ended_on),
        )
        for player_id, step in last.items()
    )
    by_nation: dict[str, dict[str, FixedPoint]] = defaultdict(dict)
    for player_id, step in last.items():
        if nation := people[player_id].nation_code:
            by_nation[nation][player_id] = step.after
    within = {player_id: rank for ratings in by_nation.values() for player_id, rank in ranked(ratings, near).items()}
    national: Rows = (
        (
            (system, player_id),
            (
                *_named(people[player_id]),
                nations[people[player_id].nation_code or ""],
                within[player_id],
                ranks[player_id],
                step.after,
            ),
        )
        for player_id, step in last.items()
        if player_id in within
    )
    key = ("rating_system_id", "player_id")
    yield ExpectedTable(
        "international_ranking",
        key,
        ("rank", "first_name", "last_name", "nation_code", "rating", "tournaments_counted", "last_played_on"),
        international,
        system,
    )
    yield ExpectedTable(
        "national_ranking",
        key,
        ("first_name", "last_name", "nation_code", "nation_name", "national_rank", "international_rank", "rating"),
        national,
        system,
    )


def yearly_ranking(
    system: str, rules: RatingRules, careers: dict[str, Career], people: dict[str, Person], near: FixedPoint
) -> ExpectedTable:
    """The ranking at the end of every year under one rating system."""

    def rows() -> Rows:
        days = [step.result.tournament.ended_on for career in careers.values() for step in career]
        if not days:
            return
        first_day = rules.first_counted_on or min(days)
        positions = dict.fromkeys(careers, 0)
        for year in range(first_day.year, max(days).year + 1):
            ratings = {}
            for player_id, career in careers.items():
                position = positions[player_id]
                while position < len(career) and career[position].result.tournament.ended_on.year <= year:
                    position += 1
                positions[player_id] = position
                if position and career[position - 1].counted:
                    ratings[player_id] = career[position - 1].after
            ranks = ranked(ratings, near)
            for player_id, rating in ratings.items():
                yield (system, year, player_id), (ranks[player_id], people[player_id].nation_code, rating)

    key = ("rating_system_id", "year", "player_id")
    return ExpectedTable("yearly_ranking", key, ("rank", "nation_code", "rating"), rows(), system)


def players(
    initial: FixedPoint | None,
    published: dict[str, tuple[FixedPoint, int]],
    people: dict[str, Person],
    results: list[ScoredResult],
    near: FixedPoint,
) -> ExpectedTable:
    """Everybody, with where they stand under the system shown first."""
    played: dict[str, list[date]] = defaultdict(list)
    for result in results:
        played[result.player_id].append(result.tournament.ended_on)
    ranks = ranked({player_id: rating for player_id, (rating, counted) in published.items() if counted}, near)
    rows: Rows = (
        (
            (player_id,),
            (
                *_named(person),
                person.location_code,
                person.known_from,
                len(played[player_id]),
                min(played[player_id], default=None),
                max(played[player_id], default=None),
                published[player_id][0] if player_id in published else initial,
                ranks.get(player_id),
            ),
        )
        for player_id, person in sorted(people.items())
    )
    columns = (
        "first_name",
        "last_name",
        "nation_code",
        "location_code",
        "known_from",
        "tournaments_played",
        "first_played_on",
        "last_played_on",
        "rating",
        "international_rank",
    )
    return ExpectedTable("players", ("player_id",), columns, rows)
