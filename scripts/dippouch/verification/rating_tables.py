"""The published tables that ratings flow into, row by row from everybody's ledger."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from datetime import date
from itertools import compress, count, islice, repeat
from operator import attrgetter, sub

from dippouch.rating.rules import RatingRules
from dippouch.verification.inputs import Person, Tournament
from dippouch.verification.ledger import Career, EventValue
from dippouch.verification.table_types import ExpectedTable, FixedPoint, Rows

_by_id = attrgetter("tournament_id")
_by_player = attrgetter("player_id")


def tournament_results(tournaments: Iterable[Tournament]) -> ExpectedTable:
    """Every result, with its percentile score."""

    def rows() -> Rows:
        for tournament in sorted(tournaments, key=_by_id):
            tournament_id = tournament.tournament_id
            for result in sorted(tournament.results, key=_by_player):
                yield tournament_id, result.player_id, result.placement, result.score, result.listed_name

    columns = ("placement", "percentile_score", "listed_name")
    key = ("tournament_id", "player_id")
    return ExpectedTable("tournament_results", key, columns, rows(), figures=("percentile_score",))


def included_tournaments(values: dict[str, dict[str, EventValue]], tournaments: Iterable[Tournament]) -> ExpectedTable:
    """What every rating system makes of every tournament; the values by system and tournament."""
    ordered = sorted(tournaments, key=_by_id)

    def rows() -> Rows:
        for system, of_system in sorted(values.items()):
            for tournament in ordered:
                value = of_system[tournament.tournament_id]
                yield system, tournament.tournament_id, value.figure, value.exact > 0, value.rule

    columns = ("tournament_value", "is_counted", "value_rule")
    key = ("rating_system_id", "tournament_id")
    return ExpectedTable("included_tournaments", key, columns, rows(), figures=("tournament_value",))


def rating_history(system: str, careers: dict[str, Career], values: dict[str, EventValue]) -> ExpectedTable:
    """Every line of the ledger under one rating system, which makes `values` of the tournaments."""

    def rows() -> Rows:
        # A career at once, column by column.
        for player_id, career in careers.items():
            event_ids = [result.tournament.tournament_id for result in career.results]
            before, after = career.ratings, career.ratings[1:]
            yield from zip(
                repeat(player_id),
                count(1),
                event_ids,
                [result.placement for result in career.results],
                [result.score for result in career.results],
                [values[event_id].figure for event_id in event_ids],
                before,
                map(sub, after, before),
                after,
                strict=False,
            )

    return ExpectedTable(
        "rating_history",
        ("player_id", "event_number"),
        (
            *("tournament_id", "placement", "percentile_score", "tournament_value"),
            *("rating_before", "rating_change", "rating_after"),
        ),
        rows(),
        system,
        figures=("percentile_score", "tournament_value", "rating_before", "rating_change", "rating_after"),
    )


def rankings(
    system: str, careers: dict[str, Career], people: dict[str, Person], nations: dict[str, str]
) -> Iterator[ExpectedTable]:
    """The international and the national ranking of one rating system."""
    ranked = {player_id: career for player_id, career in careers.items() if career.counted}
    international: Rows = (
        (player_id, career.ratings[-1], career.counted, career.results[-1].tournament.ended_on)
        for player_id, career in ranked.items()
    )
    yield ExpectedTable(
        "international_ranking",
        ("player_id",),
        ("rating", "tournaments_counted", "last_played_on"),
        international,
        system,
        figures=("rating",),
        rank="rank",
    )
    national: Rows = (
        (player_id, nation, nations[nation], career.ratings[-1])
        for player_id, career in ranked.items()
        if (nation := people[player_id].nation_code)
    )
    yield ExpectedTable(
        "national_ranking",
        ("player_id",),
        ("nation_code", "nation_name", "rating"),
        national,
        system,
        figures=("rating",),
        rank="national_rank",
        ranked_within="nation_code",
    )


def yearly_ranking(system: str, rules: RatingRules, careers: dict[str, Career]) -> ExpectedTable:
    """The ranking at the end of every year under one rating system."""

    def rows() -> Rows:
        if not careers:
            return
        first_day = rules.first_counted_on or min(c.results[0].tournament.ended_on for c in careers.values())
        last_day = max(career.results[-1].tournament.ended_on for career in careers.values())
        changes = _by_year(careers)
        ratings: list[FixedPoint | None] = [None] * len(careers)
        is_rated = bytearray(len(careers))
        # What counts from the first day on may rest on events before it.
        for year in range(min([first_day.year, *changes]), last_day.year + 1):
            for place, rating in changes[year].items():
                ratings[place] = rating
                is_rated[place] = True
            if year >= first_day.year:
                yield from zip(repeat(year), compress(careers, is_rated), compress(ratings, is_rated), strict=False)

    return ExpectedTable(
        "yearly_ranking",
        ("year", "player_id"),
        ("rating",),
        rows(),
        system,
        figures=("rating",),
        rank="rank",
        ranked_within="year",
    )


def _by_year(careers: dict[str, Career]) -> dict[int, dict[int, FixedPoint]]:
    """The rating of everybody whom an event was worth something for by then, at the end of every year with an event of theirs.

    People are known by their place in `careers`.
    """
    changes: dict[int, dict[int, FixedPoint]] = defaultdict(dict)
    for place, career in enumerate(careers.values()):
        steps = zip(career.results, career.ratings[1:], strict=True)
        for result, rating in islice(steps, career.uncounted_first, None):
            changes[result.tournament.ended_on.year][place] = rating
    return changes


def players(
    initial: FixedPoint | None,
    published: dict[str, tuple[FixedPoint, int]],
    people: dict[str, Person],
    tournaments: Iterable[Tournament],
) -> ExpectedTable:
    """Everybody, with where they stand under the default rating system."""
    played: dict[str, list[date]] = defaultdict(list)
    for tournament in tournaments:
        for result in tournament.results:
            played[result.player_id].append(tournament.ended_on)
    rows: Rows = (
        (
            player_id,
            person.first_name,
            person.last_name,
            person.nation_code,
            person.location_code,
            person.known_from,
            len(played[player_id]),
            min(played[player_id], default=None),
            max(played[player_id], default=None),
            published.get(player_id, (initial, 0))[0],
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
    )
    return ExpectedTable("players", ("player_id",), columns, rows, figures=("rating",))
