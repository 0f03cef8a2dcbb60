"""What the seeds state, read for the verification: tournaments after corrections, results, and who is who."""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date
from fractions import Fraction
from functools import lru_cache
from operator import itemgetter
from pathlib import Path
from sys import intern
from typing import NamedTuple

from dippouch.errors import UserError
from dippouch.rating.rules import percentile_score
from dippouch.seeds.corrected_values import WITHDRAWN
from dippouch.seeds.corrections import Corrections, current_corrections
from dippouch.seeds.files import read_rows
from dippouch.seeds.parquet import iterate_raw_rows
from dippouch.seeds.schema import (
    ALIASES,
    CORRECTIONS,
    PLAYERS,
    PUBLISHED_RANKINGS,
    RESULTS,
    TOURNAMENT_KINDS,
    TOURNAMENTS,
    Row,
)
from dippouch.verification.table_types import FixedPoint, fixed_point

# What DuckDB reads as a true boolean in a seed.
_TRUE = frozenset({"true", "t", "1", "yes", "y"})
_FACTS = ("first_name", "last_name", "nation_code", "location_code")
_facts = itemgetter(*_FACTS)
_CODES = frozenset({"nation_code", "location_code"})

# Letters with a stroke are letters of their own to Unicode.
_PLAIN_LETTERS = dict(zip("ØøŁłĐđĦħŦŧı", "OoLlDdHhTti", strict=True))


@dataclass(slots=True)
class Tournament:
    """A tournament as it stands after corrections; `stated` are its cells as text."""

    tournament_id: str
    started_on: date
    ended_on: date
    players: int | None
    rounds: int | None
    is_world_championship: bool
    is_withdrawn: bool
    is_corrected: bool
    stated: Row
    results: list[ScoredResult] = field(default_factory=list)


class ScoredResult(NamedTuple):
    """A person in a tournament; without a placement, or in an event that declares no players, there is no score."""

    player_id: str
    tournament: Tournament
    placement: int | None
    score: FixedPoint | None
    listed_name: str
    published_score: str


@dataclass(frozen=True, slots=True)
class PublishedRating:
    """A row of a published ranking, with the person behind it."""

    player_id: str
    stated: Row


@dataclass(slots=True)
class Person:
    """The best statement of each fact about a person; None where nothing states it."""

    first_name: str | None = None
    last_name: str | None = None
    nation_code: str | None = None
    location_code: str | None = None
    known_from: str | None = None


@dataclass
class Inputs:
    """A collection as the verification needs it. Withdrawn results are not in it."""

    tournaments: dict[str, Tournament]
    published: list[PublishedRating] = field(default_factory=list)
    people: dict[str, Person] = field(default_factory=dict)


def read_inputs(seeds: Path) -> Inputs:
    """Read a collection.

    Raises:
        UserError: when a seed cannot be read or a cell is not what its column holds.
    """
    try:
        return _read(seeds)
    except (ValueError, KeyError) as error:
        raise UserError(f"{seeds}: found {error}; expected seeds that pass the tests of the build") from None


def date_or_none(text: str) -> date | None:
    """The day of a cell, None for an empty one."""
    return date.fromisoformat(text) if text else None


def text_or_none(text: str) -> str | None:
    """The tidy text of a cell, None for an empty one."""
    return text.strip() or None


def exact_score(result: ScoredResult) -> Fraction | None:
    """The percentile score of a result, not rounded; None where it has none."""
    players = result.tournament.players
    return percentile_score(players, result.placement) if players and result.placement is not None else None


def _whole(row: Row, column: str) -> int | None:
    text = row[column].strip()
    if text and not text.removeprefix("-").isdecimal():
        raise UserError(
            f"found {column} `{text}` at {row['tournament_id']} {row.get('listed_name', '')}; expected a whole number"
        )
    return int(text) if text else None


def _read(seeds: Path) -> Inputs:
    decided = read_rows(seeds / CORRECTIONS.path)
    corrections = current_corrections(sorted(decided, key=lambda row: int(row["correction_number"])))
    aliases: _Aliases = defaultdict(dict)
    for row in read_rows(seeds / ALIASES.path):
        aliases[row["listed_player_id"].strip()][row["tournament_id"].strip()] = row["player_id"].strip()
    read = Inputs(_read_tournaments(seeds, corrections))
    statements = _Statements()
    for row in read_rows(seeds / PLAYERS.path):
        statements.add(row["player_id"], 1, date.min, "", row)
        statements.sources[row["player_id"]] = text_or_none(row["source"])
    for result, row in _read_results(seeds, read.tournaments, corrections, aliases):
        tournament = result.tournament
        tournament.results.append(result)
        precedence = 2 if row["player_id"] == result.player_id else 3
        statements.add(result.player_id, precedence, tournament.ended_on, tournament.tournament_id, row)
    for row in iterate_raw_rows(seeds, PUBLISHED_RANKINGS):
        player_id = _person(aliases, row["player_id"], "")
        statements.add(player_id, 4, date.fromisoformat(row["last_update"]), row["ranking_name"], row)
        read.published.append(PublishedRating(player_id, row))
    read.people = statements.people()
    return read


def _read_tournaments(seeds: Path, corrections: Corrections) -> dict[str, Tournament]:
    championships = {
        row["kind"].strip().upper()
        for row in read_rows(seeds / TOURNAMENT_KINDS.path)
        if row["is_world_championship"].strip().lower() in _TRUE
    }
    tournaments = {}
    for listed in iterate_raw_rows(seeds, TOURNAMENTS):
        corrected = corrections.get((listed["tournament_id"], ""), {})
        row = listed | corrected
        withdrawn = corrected.get(WITHDRAWN) == "true"
        tournaments[row["tournament_id"]] = Tournament(
            row["tournament_id"],
            date.fromisoformat(row["started_on"]),
            date.fromisoformat(row["ended_on"]),
            _whole(row, "players"),
            _whole(row, "rounds"),
            row["kind"].strip().upper() in championships,
            withdrawn,
            withdrawn or bool(corrected.keys() - {WITHDRAWN}),
            row,
        )
    return tournaments


# The person of a listed id, by tournament; under the empty id the one of every other tournament.
_Aliases = dict[str, dict[str, str]]


def _person(aliases: _Aliases, listed_id: str, tournament_id: str) -> str:
    meant = aliases.get(listed_id)
    return meant.get(tournament_id) or meant.get("") or listed_id if meant else listed_id


def _read_results(
    seeds: Path, tournaments: dict[str, Tournament], corrections: Corrections, aliases: _Aliases
) -> Iterator[tuple[ScoredResult, Row]]:
    """Every result as it stands after corrections, without the withdrawn ones, and the row that states it."""
    for row in iterate_raw_rows(seeds, RESULTS):
        if corrected := corrections.get((row["tournament_id"], row["player_id"])):
            row |= corrected  # noqa: PLW2901 (the row as it stands)
            if corrected.get(WITHDRAWN) == "true":
                continue
        tournament = tournaments[row["tournament_id"]]
        # One string a name, not one a result.
        player_id = intern(_person(aliases, row["player_id"], tournament.tournament_id))
        listed_name = intern(row["listed_name"])
        placement = _whole(row, "placement")
        score = _score(tournament.players, placement) if tournament.players and placement is not None else None
        yield ScoredResult(player_id, tournament, placement, score, listed_name, row["published_score"]), row


@lru_cache(maxsize=1 << 16)
def _score(players: int, placement: int) -> FixedPoint:
    return fixed_point(percentile_score(players, placement))


# How much a statement weighs: the higher its precedence the less, then the later the more.
_Weight = tuple[int, date, str]


class _Statements:
    """The best statement of each fact about everybody.

    The rating keeper's word, then the latest tournament that states it, then a published ranking. A tournament that lists the
    person under an alias comes after all that list the person's own id. Of spellings of a name that differ in accents only, the
    one with most of them holds, unless the rating keeper wrote it.
    """

    def __init__(self) -> None:
        self.sources: dict[str, str | None] = {}
        # The latest day and place of everything that is stated: most people are listed alike again and again.
        self._latest: dict[tuple[str, int, tuple[str, ...]], tuple[date, str]] = {}

    def add(self, player_id: str, precedence: int, day: date, where: str, row: Row) -> None:
        """Take what one row states."""
        stated = (player_id, precedence, _facts(row))
        latest = self._latest.get(stated)
        if latest is None or latest < (day, where):
            self._latest[stated] = (day, where)

    def people(self) -> dict[str, Person]:
        """Everybody whom a row names, with the best statement of each fact."""
        weights: dict[tuple[str, str], dict[str, _Weight]] = defaultdict(dict)
        people: dict[str, Person] = {}
        for (player_id, precedence, facts), (day, where) in self._latest.items():
            people.setdefault(player_id, Person(known_from=self.sources.get(player_id)))
            for fact, cell in zip(_FACTS, facts, strict=True):
                if value := (cell.upper() if fact in _CODES else cell).strip():
                    stated = weights[player_id, fact]
                    weight = (-precedence, day, where)
                    stated[value] = max(weight, stated.get(value, weight))
        for (player_id, fact), stated in weights.items():
            chosen = max(stated, key=lambda value, stated=stated: stated[value])  # type: ignore[misc]
            setattr(people[player_id], fact, chosen if fact in _CODES else _best_spelling(chosen, stated))
        return people


def _best_spelling(chosen: str, stated: dict[str, _Weight]) -> str:
    """Of the spellings that are the chosen one but for accents: the rating keeper's, then the one with most accents."""
    if len(stated) == 1:
        return chosen
    alike = [value for value in stated if _plain(value) == _plain(chosen)]
    return max(
        alike, key=lambda value: (stated[value][0] == -1, sum(not " " <= c <= "~" for c in value), stated[value])
    )


def _plain(name: str) -> str:
    """A name with plain letters in the place of accented Latin ones."""
    return "".join(_PLAIN_LETTERS.get(c) or (_base(c) if "\u00c0" <= c < "\u0250" else c) for c in name)


def _base(letter: str) -> str:
    decomposed = unicodedata.normalize("NFD", letter)
    return decomposed[0] if decomposed[0].isascii() else letter
