"""What the published tables must hold, recomputed from the seeds with exact fractions.

Each table is made row by row in the order of its key, one rating system after the other, and figures are kept as whole
numbers of 2^-100: exact far beyond what doubles can show, and small enough that a million results can be verified.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import date
from fractions import Fraction
from functools import lru_cache
from pathlib import Path

from dippouch.collection.observed import iterate_observed
from dippouch.collection.reference import PUBLISHED_SYSTEM, read_rating_systems
from dippouch.collection.seeds import CORRECTIONS, PUBLISHED_RANKINGS, RESULTS, TOURNAMENTS, Row, read_rows
from dippouch.verifying.oracle import (
    RatingRules,
    counted_from,
    percentile_score,
    tournament_value,
    updated_rating,
)

UNITS = 1 << 100

# A fraction grows with every event of a career. Past so many bits it is cut to _PLACES binary places, an error that is
# no larger than 2^-300 and that later events only shrink.
_LONGEST_FRACTION, _PLACES = 4096, 300


class Figure(int):
    """An exact figure as a whole number of 2^-100, rounded down."""

    __slots__ = ()

    @classmethod
    def of(cls, fraction: Fraction) -> Figure:
        """The figure of a fraction."""
        return cls(fraction.numerator * UNITS // fraction.denominator)


@dataclass(frozen=True, slots=True)
class Rank:
    """A rank with the exact ratings around it.

    Doubles carry about 16 digits: two ratings that differ by less than that may change places, so a published rank
    may be anything from `best` to `worst`, the ranks of ratings within the tolerance. `exact` is the rank by fractions.
    """

    exact: int
    best: int
    worst: int


Value = Figure | Rank | date | str | int | bool | None
Rows = Iterator[tuple[tuple[Value, ...], tuple[Value, ...]]]


@dataclass(frozen=True)
class ExpectedTable:
    """A published table as it must be, or its rows of one rating system.

    Attributes:
        name: the table in schema `marts`.
        key: the columns that identify a row.
        columns: the further columns that are checked.
        rows: the values of `key` and of `columns`, in the order of the keys.
        system: the rating system whose rows these are; None for the whole table.
    """

    name: str
    key: tuple[str, ...]
    columns: tuple[str, ...]
    rows: Rows
    system: str | None = None


@dataclass(frozen=True, slots=True)
class _Tournament:
    tournament_id: str
    started_on: date
    ended_on: date
    players: int | None
    rounds: int | None
    is_world_championship: bool
    is_withdrawn: bool


@dataclass(frozen=True, slots=True)
class _Appearance:
    """A person in a tournament; without a placement, or in an event that declares no players, there is no score."""

    player_id: str
    tournament: _Tournament
    placement: int | None
    score: Fraction | None


@dataclass(frozen=True, slots=True)
class _Step:
    """One line of a player's ledger."""

    appearance: _Appearance
    value: Fraction
    before: Figure
    after: Figure
    counted: int


Career = list[_Step]


def expected_tables(seeds: Path, tolerance: Fraction) -> Iterator[ExpectedTable]:
    """Every table that ratings flow into, one after the other; the rows of each must be taken before the next.

    Args:
        seeds: the folder of the collection.
        tolerance: how far apart two ratings are the same for a rank.

    Raises:
        KeeperError: when a seed cannot be read.
    """
    corrections = _read_corrections(seeds)
    tournaments = _read_tournaments(seeds, corrections)
    systems = _systems_today(read_rating_systems(seeds), tournaments.values())
    appearances, nations = _read_appearances(seeds, tournaments, corrections, _read_aliases(seeds))
    near = Figure.of(tolerance)

    appearances.sort(key=lambda a: (a.tournament.tournament_id, a.player_id))
    yield _tournament_results(appearances)
    yield _included_tournaments(systems, tournaments.values())
    # Everybody's events by end date, start date, tournament id: the order in which every system applies them.
    appearances.sort(
        key=lambda a: (a.player_id, a.tournament.ended_on, a.tournament.started_on, a.tournament.tournament_id)
    )
    published: dict[str, tuple[Figure, int]] = {}
    for system, rules in sorted(systems.items()):
        careers = _careers(rules, appearances)
        yield _rating_history(system, careers)
        yield from _rankings(system, careers, nations, near)
        yield _yearly_ranking(system, rules, careers, nations, near)
        if system == PUBLISHED_SYSTEM:
            published = {player_id: (career[-1].after, career[-1].counted) for player_id, career in careers.items()}
    initial = Figure.of(systems[PUBLISHED_SYSTEM].initial_rating) if PUBLISHED_SYSTEM in systems else None
    yield _players(initial, published, nations, appearances, near)


def _date(text: str) -> date:
    return date.fromisoformat(text)


def _whole(text: str) -> int | None:
    return int(text) if text else None


Corrections = dict[tuple[str, str], dict[str, str]]


def _read_corrections(seeds: Path) -> Corrections:
    """What the keeper decided last, by field, for a (tournament id, listed player id or "" for the tournament)."""
    corrections: Corrections = defaultdict(dict)
    rows = read_rows(seeds / CORRECTIONS.path, CORRECTIONS.columns)
    for row in sorted(rows, key=lambda row: int(row["correction_number"])):
        corrections[row["tournament_id"], row["player_id"].strip()][row["field"].strip()] = row["value"].strip()
    return corrections


def _read_tournaments(seeds: Path, corrections: Corrections) -> dict[str, _Tournament]:
    championships = {
        row["kind"]
        for row in read_rows(seeds / "reference/tournament_kinds.csv")
        if row["is_world_championship"].lower() == "true"
    }
    return {
        row["tournament_id"]: _Tournament(
            row["tournament_id"],
            _date(row["started_on"]),
            _date(row["ended_on"]),
            _whole(row["players"]),
            _whole(row["rounds"]),
            row["kind"].strip().upper() in championships,
            row.get("withdrawn") == "true",
        )
        for row in (
            stated | corrections.get((stated["tournament_id"], ""), {})
            for stated in iterate_observed(seeds, TOURNAMENTS)
        )
    }


def _read_aliases(seeds: Path) -> dict[tuple[str, str], str]:
    """The person behind a listed id, by (listed id, tournament id); the tournament is empty where it holds everywhere."""
    rows = read_rows(seeds / "reference/player_aliases.csv")
    return {(row["listed_player_id"], row["tournament_id"]): row["player_id"] for row in rows}


def _person(aliases: dict[tuple[str, str], str], listed_id: str, tournament_id: str) -> str:
    return aliases.get((listed_id, tournament_id)) or aliases.get((listed_id, "")) or listed_id


def _read_appearances(
    seeds: Path,
    tournaments: dict[str, _Tournament],
    corrections: Corrections,
    aliases: dict[tuple[str, str], str],
) -> tuple[list[_Appearance], dict[str, str | None]]:
    """Every result as it stands after corrections, without the withdrawn ones, and the nation of everybody.

    A nation is the keeper's word, then what the latest tournament states, then a published ranking. A tournament that
    lists the person under an alias comes after all that list the person's own id.
    """
    appearances = []
    stated: dict[str, tuple[int, int, str, str | None]] = {}
    nobody = (-9, 0, "", None)

    def state(player_id: str, precedence: int, day: date, where: str, row: Row) -> None:
        nation = row["nation_code"].strip().upper()
        known = stated.setdefault(player_id, nobody)
        if nation and (-precedence, day.toordinal(), where) >= known[:3]:
            stated[player_id] = (-precedence, day.toordinal(), where, nation)

    for row in read_rows(seeds / "reference/players.csv"):
        state(row["player_id"], 1, date.min, "", row)
    people: dict[str, str] = {}
    for listed in iterate_observed(seeds, RESULTS):
        row = listed | corrections.get((listed["tournament_id"], listed["player_id"]), {})
        if row.get("withdrawn") == "true":
            continue
        tournament = tournaments[row["tournament_id"]]
        player_id = _person(aliases, row["player_id"], tournament.tournament_id)
        player_id = people.setdefault(player_id, player_id)  # One string a person, not one a result.
        placement = _whole(row["placement"])
        score = _score(tournament.players, placement) if tournament.players and placement else None
        appearances.append(_Appearance(player_id, tournament, placement, score))
        state(player_id, 2 if row["player_id"] == player_id else 3, tournament.ended_on, tournament.tournament_id, row)
    for row in iterate_observed(seeds, PUBLISHED_RANKINGS):
        state(_person(aliases, row["player_id"], ""), 4, _date(row["last_update"]), row["ranking_name"], row)
    return appearances, {player_id: best[3] for player_id, best in stated.items()}


_score = lru_cache(maxsize=1 << 16)(percentile_score)


def _systems_today(systems: dict[str, RatingRules], tournaments: Iterable[_Tournament]) -> dict[str, RatingRules]:
    """The rules with the first day that they count from as the collection stands."""
    last = max((tournament.ended_on for tournament in tournaments if not tournament.is_withdrawn), default=None)
    if last is None:
        return systems
    return {system: replace(rules, first_counted_on=counted_from(rules, last)) for system, rules in systems.items()}


def _value(rules: RatingRules, tournament: _Tournament) -> Fraction:
    if tournament.is_withdrawn:
        return Fraction(0)
    return tournament_value(
        rules,
        is_world_championship=tournament.is_world_championship,
        ended_on=tournament.ended_on,
        players=tournament.players,
        rounds=tournament.rounds,
    )


def _cut(rating: Fraction) -> Fraction:
    """The rating, cut where it has become too long to be handled."""
    if rating.denominator.bit_length() <= _LONGEST_FRACTION:
        return rating
    return Fraction((rating.numerator << _PLACES) // rating.denominator, 1 << _PLACES)


def _careers(rules: RatingRules, appearances: list[_Appearance]) -> dict[str, Career]:
    """Everybody's ledger under one rating system, people in the order of their ids."""
    values: dict[str, Fraction] = {}
    careers: dict[str, Career] = {}
    rating, before, counted = rules.initial_rating, Figure.of(rules.initial_rating), 0
    for appearance in appearances:
        if appearance.score is None:
            continue
        career = careers.get(appearance.player_id)
        if career is None:
            career = careers[appearance.player_id] = []
            rating, before, counted = rules.initial_rating, Figure.of(rules.initial_rating), 0
        tournament = appearance.tournament
        value = values.get(tournament.tournament_id)
        if value is None:
            value = values[tournament.tournament_id] = _value(rules, tournament)
        rating = _cut(updated_rating(rating, appearance.score, value))
        after = Figure.of(rating)
        counted += value > 0
        career.append(_Step(appearance, value, before, after, counted))
        before = after
    return careers


def _figure(fraction: Fraction | None) -> Figure | None:
    return None if fraction is None else Figure.of(fraction)


def _tournament_results(appearances: list[_Appearance]) -> ExpectedTable:
    rows: Rows = (((a.tournament.tournament_id, a.player_id), (a.placement, _figure(a.score))) for a in appearances)
    return ExpectedTable("tournament_results", ("tournament_id", "player_id"), ("placement", "percentile_score"), rows)


def _included_tournaments(systems: dict[str, RatingRules], tournaments: Iterable[_Tournament]) -> ExpectedTable:
    ordered = sorted(tournaments, key=lambda tournament: tournament.tournament_id)

    def rows() -> Rows:
        for system, rules in sorted(systems.items()):
            for tournament in ordered:
                value = _value(rules, tournament)
                yield (system, tournament.tournament_id), (Figure.of(value), value > 0)

    columns = ("tournament_value", "is_counted")
    return ExpectedTable("included_tournaments", ("rating_system_id", "tournament_id"), columns, rows())


def _rating_history(system: str, careers: dict[str, Career]) -> ExpectedTable:
    def rows() -> Rows:
        for player_id, career in careers.items():
            for number, step in enumerate(career, start=1):
                event = step.appearance
                yield (
                    (system, player_id, number),
                    (
                        event.tournament.tournament_id,
                        event.tournament.ended_on,
                        event.placement,
                        event.tournament.players,
                        _figure(event.score),
                        Figure.of(step.value),
                        step.before,
                        Figure(step.after - step.before),
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


def _ranked(ratings: dict[str, Figure], near: Figure) -> dict[str, Rank]:
    """The rank of everybody, with the ranks that ratings within the tolerance could have."""
    order = sorted(ratings.items(), key=lambda item: item[1], reverse=True)
    ranks = {}
    first = last = exact = 0
    for position, (player_id, rating) in enumerate(order, start=1):
        if position == 1 or rating != order[position - 2][1]:
            exact = position
        while order[first][1] - rating > near:
            first += 1
        last = max(last, first)
        while last < len(order) and rating - order[last][1] <= near:
            last += 1
        ranks[player_id] = Rank(exact, first + 1, last)
    return ranks


def _rankings(
    system: str, careers: dict[str, Career], nations: dict[str, str | None], near: Figure
) -> Iterator[ExpectedTable]:
    last = {player_id: career[-1] for player_id, career in careers.items() if career[-1].counted}
    ranks = _ranked({player_id: step.after for player_id, step in last.items()}, near)
    international: Rows = (
        (
            (system, player_id),
            (
                ranks[player_id],
                nations[player_id],
                step.after,
                step.counted,
                step.appearance.tournament.ended_on,
            ),
        )
        for player_id, step in last.items()
    )
    by_nation: dict[str, dict[str, Figure]] = defaultdict(dict)
    for player_id, step in last.items():
        if nation := nations[player_id]:
            by_nation[nation][player_id] = step.after
    within = {player_id: rank for ratings in by_nation.values() for player_id, rank in _ranked(ratings, near).items()}
    national: Rows = (
        ((system, player_id), (nations[player_id], within[player_id], ranks[player_id], step.after))
        for player_id, step in last.items()
        if player_id in within
    )
    key = ("rating_system_id", "player_id")
    yield ExpectedTable(
        "international_ranking",
        key,
        ("rank", "nation_code", "rating", "tournaments_counted", "last_played_on"),
        international,
        system,
    )
    yield ExpectedTable(
        "national_ranking", key, ("nation_code", "national_rank", "international_rank", "rating"), national, system
    )


def _yearly_ranking(
    system: str, rules: RatingRules, careers: dict[str, Career], nations: dict[str, str | None], near: Figure
) -> ExpectedTable:
    def rows() -> Rows:
        days = [step.appearance.tournament.ended_on for career in careers.values() for step in career]
        if not days:
            return
        first_day = rules.first_counted_on or min(days)
        positions = dict.fromkeys(careers, 0)
        for year in range(first_day.year, max(days).year + 1):
            ratings = {}
            for player_id, career in careers.items():
                position = positions[player_id]
                while position < len(career) and career[position].appearance.tournament.ended_on.year <= year:
                    position += 1
                positions[player_id] = position
                if position and career[position - 1].counted:
                    ratings[player_id] = career[position - 1].after
            ranks = _ranked(ratings, near)
            for player_id, rating in ratings.items():
                yield (system, year, player_id), (ranks[player_id], nations[player_id], rating)

    key = ("rating_system_id", "year", "player_id")
    return ExpectedTable("yearly_ranking", key, ("rank", "nation_code", "rating"), rows(), system)


def _players(
    initial: Figure | None,
    published: dict[str, tuple[Figure, int]],
    nations: dict[str, str | None],
    appearances: list[_Appearance],
    near: Figure,
) -> ExpectedTable:
    """Everybody, with where they stand under the published system."""
    played: dict[str, list[date]] = defaultdict(list)
    for appearance in appearances:
        played[appearance.player_id].append(appearance.tournament.ended_on)
    ranks = _ranked({player_id: rating for player_id, (rating, counted) in published.items() if counted}, near)
    rows: Rows = (
        (
            (player_id,),
            (
                nation,
                len(played[player_id]),
                min(played[player_id], default=None),
                max(played[player_id], default=None),
                published[player_id][0] if player_id in published else initial,
                ranks.get(player_id),
            ),
        )
        for player_id, nation in sorted(nations.items())
    )
    columns = ("nation_code", "tournaments_played", "first_played_on", "last_played_on", "rating", "international_rank")
    return ExpectedTable("players", ("player_id",), columns, rows)
