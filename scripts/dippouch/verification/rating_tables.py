"""The published tables that ratings flow into, row by row from everybody's ledger."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from datetime import date
from itertools import count, islice, repeat
from operator import attrgetter, sub

from dippouch.rating.rules import RatingRules
from dippouch.verification.inputs import Person, Tournament, text_or_none
from dippouch.verification.ledger import Career, EventValue, ranked
from dippouch.verification.table_types import ExpectedTable, FixedPoint, Rows

_by_id = attrgetter("tournament_id")
_by_player = attrgetter("player_id")


def _named(person: Person) -> tuple[str | None, str | None, str | None]:
    return person.first_name, person.last_name, person.nation_code


def tournament_results(tournaments: Iterable[Tournament], people: dict[str, Person]) -> ExpectedTable:
    """Every result, with the person behind it and the percentile score."""

    def rows() -> Rows:
        for tournament in sorted(tournaments, key=_by_id):
            tournament_id = tournament.tournament_id
            for result in sorted(tournament.results, key=_by_player):
                named = people[result.player_id]
                yield (
                    tournament_id,
                    result.player_id,
                    result.placement,
                    named.first_name,
                    named.last_name,
                    named.nation_code,
                    result.score,
                    result.listed_name,
                )

    columns = ("placement", "first_name", "last_name", "nation_code", "percentile_score", "listed_name")
    key = ("tournament_id", "player_id")
    return ExpectedTable("tournament_results", key, columns, rows(), figures=("percentile_score",))


def included_tournaments(values: dict[str, dict[str, EventValue]], tournaments: Iterable[Tournament]) -> ExpectedTable:
    """What every rating system makes of every tournament; the values by system and tournament."""
    ordered = sorted(tournaments, key=_by_id)

    def rows() -> Rows:
        for system, of_system in sorted(values.items()):
            for tournament in ordered:
                value = of_system[tournament.tournament_id]
                yield (
                    system,
                    tournament.tournament_id,
                    text_or_none(tournament.stated["name"]),
                    tournament.ended_on,
                    tournament.players,
                    tournament.rounds,
                    value.figure,
                    value.exact > 0,
                    value.rule,
                )

    columns = ("name", "ended_on", "players", "rounds", "tournament_value", "is_counted", "value_rule")
    key = ("rating_system_id", "tournament_id")
    return ExpectedTable("included_tournaments", key, columns, rows(), figures=("tournament_value",))


def rating_history(system: str, careers: dict[str, Career], values: dict[str, EventValue]) -> ExpectedTable:
    """Every line of the ledger under one rating system, which makes `values` of the tournaments."""

    def rows() -> Rows:
        # A career at once, column by column.
        for player_id, career in careers.items():
            events = [result.tournament for result in career.results]
            event_ids = [event.tournament_id for event in events]
            before, after = career.ratings, career.ratings[1:]
            yield from zip(
                repeat(system),
                repeat(player_id),
                count(1),
                event_ids,
                [event.ended_on for event in events],
                [result.placement for result in career.results],
                [event.players for event in events],
                [result.score for result in career.results],
                [values[event_id].figure for event_id in event_ids],
                before,
                map(sub, after, before),
                after,
                strict=False,
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
        figures=("percentile_score", "tournament_value", "rating_before", "rating_change", "rating_after"),
    )


def rankings(
    system: str, careers: dict[str, Career], people: dict[str, Person], nations: dict[str, str], near: FixedPoint
) -> Iterator[ExpectedTable]:
    """The international and the national ranking of one rating system."""
    last = {player_id: career for player_id, career in careers.items() if career.counted}
    ratings = {player_id: career.ratings[-1] for player_id, career in last.items()}
    ranks = ranked(ratings, near)
    international: Rows = (
        (
            system,
            player_id,
            ranks[player_id],
            *_named(people[player_id]),
            ratings[player_id],
            career.counted,
            career.results[-1].tournament.ended_on,
        )
        for player_id, career in last.items()
    )
    by_nation: dict[str, dict[str, FixedPoint]] = defaultdict(dict)
    for player_id, rating in ratings.items():
        if nation := people[player_id].nation_code:
            by_nation[nation][player_id] = rating
    within = {
        player_id: rank for of_nation in by_nation.values() for player_id, rank in ranked(of_nation, near).items()
    }
    national: Rows = (
        (
            system,
            player_id,
            *_named(people[player_id]),
            nations[people[player_id].nation_code or ""],
            within[player_id],
            ranks[player_id],
            rating,
        )
        for player_id, rating in ratings.items()
        if player_id in within
    )
    key = ("rating_system_id", "player_id")
    yield ExpectedTable(
        "international_ranking",
        key,
        ("rank", "first_name", "last_name", "nation_code", "rating", "tournaments_counted", "last_played_on"),
        international,
        system,
        figures=("rating",),
        ranks=("rank",),
    )
    yield ExpectedTable(
        "national_ranking",
        key,
        ("first_name", "last_name", "nation_code", "nation_name", "national_rank", "international_rank", "rating"),
        national,
        system,
        figures=("rating",),
        ranks=("national_rank", "international_rank"),
    )


def yearly_ranking(
    system: str, rules: RatingRules, careers: dict[str, Career], people: dict[str, Person], near: FixedPoint
) -> ExpectedTable:
    """The ranking at the end of every year under one rating system."""

    def rows() -> Rows:
        if not careers:
            return
        first_day = rules.first_counted_on or min(c.results[0].tournament.ended_on for c in careers.values())
        last_day = max(career.results[-1].tournament.ended_on for career in careers.values())
        nations = {player_id: people[player_id].nation_code for player_id in careers}
        changes = _by_year(careers)
        now: dict[str, FixedPoint | None] = dict.fromkeys(careers)
        # What counts from the first day on may rest on events before it.
        for year in range(min([first_day.year, *changes]), last_day.year + 1):
            now.update(changes.get(year, {}))
            if year < first_day.year:
                continue
            ratings = {player_id: rating for player_id, rating in now.items() if rating is not None}
            ranks = ranked(ratings, near).values()
            nation_codes = map(nations.__getitem__, ratings)
            yield from zip(repeat(system), repeat(year), ratings, ranks, nation_codes, ratings.values(), strict=False)

    key = ("rating_system_id", "year", "player_id")
    columns = ("rank", "nation_code", "rating")
    return ExpectedTable("yearly_ranking", key, columns, rows(), system, figures=("rating",), ranks=("rank",))


def _by_year(careers: dict[str, Career]) -> dict[int, dict[str, FixedPoint]]:
    """The rating of everybody whom an event was worth something for by then, at the end of every year with an event of theirs."""
    changes: dict[int, dict[str, FixedPoint]] = defaultdict(dict)
    for player_id, career in careers.items():
        steps = zip(career.results, career.ratings[1:], strict=True)
        for result, rating in islice(steps, career.uncounted_first, None):
            changes[result.tournament.ended_on.year][player_id] = rating
    return changes


def players(
    initial: FixedPoint | None,
    published: dict[str, tuple[FixedPoint, int]],
    people: dict[str, Person],
    tournaments: Iterable[Tournament],
    near: FixedPoint,
) -> ExpectedTable:
    """Everybody, with where they stand under the system shown first."""
    played: dict[str, list[date]] = defaultdict(list)
    for tournament in tournaments:
        for result in tournament.results:
            played[result.player_id].append(tournament.ended_on)
    ranks = ranked({player_id: rating for player_id, (rating, counted) in published.items() if counted}, near)
    rows: Rows = (
        (
            player_id,
            *_named(person),
            person.location_code,
            person.known_from,
            len(played[player_id]),
            min(played[player_id], default=None),
            max(played[player_id], default=None),
            published[player_id][0] if player_id in published else initial,
            ranks.get(player_id),
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
    return ExpectedTable("players", ("player_id",), columns, rows, figures=("rating",), ranks=("international_rank",))
