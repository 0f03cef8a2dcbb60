"""What the seeds state, read for the verification: tournaments after corrections, results, and who is who."""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from dataclasses import dataclass, field
from datetime import date
from fractions import Fraction
from functools import lru_cache
from operator import attrgetter, itemgetter
from pathlib import Path
from sys import intern

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
# What is read of a result; the facts about a person last.
_OF_RESULT = ("tournament_id", "player_id", "placement", "listed_name", "published_score", *_FACTS)
_FACTS_FROM = len(_OF_RESULT) - len(_FACTS)
_CODES = frozenset({"nation_code", "location_code"})

# Letters with a stroke are letters of their own to Unicode.
_PLAIN_LETTERS = dict(zip("ØøŁłĐđĦħŦŧı", "OoLlDdHhTti", strict=True))

# The day on which something is said, and where.
_SaidAt = tuple[date, str]


@dataclass(slots=True)
class Tournament:
    """A tournament as it stands after corrections; `stated` are its cells as text, `said_at` weighs what it says of people."""

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
    said_at: _SaidAt = field(init=False)

    def __post_init__(self) -> None:
        self.said_at = (self.ended_on, self.tournament_id)


@dataclass(slots=True, eq=False)
class ScoredResult:
    """A person in a tournament; without a placement, or in an event that declares no players, there is no score."""

    player_id: str
    tournament: Tournament
    placement: int | None
    score: FixedPoint | None
    listed_name: str
    published_score: str


@dataclass(frozen=True, slots=True)
class PublishedRating:
    """A row of a ranking that a document prints, with the person behind it."""

    player_id: str
    ranking_name: str
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
    """A collection as the verification needs it, without withdrawn results; everything in the order of its id."""

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


@lru_cache(maxsize=1 << 16)
def _whole(cell: str, column: str) -> int | None:
    """The number of a cell, None for an empty one. Cells are alike in millions of rows.

    Raises:
        ValueError: when it is none.
    """
    text = cell.strip()
    if text and not text.removeprefix("-").isdecimal():
        raise ValueError(f"{column} `{text}`")
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
        statements.add(row["player_id"], 1, (date.min, ""), _facts(row))
        statements.sources[row["player_id"]] = text_or_none(row["source"])
    _read_results(seeds, read.tournaments, corrections, aliases, statements)
    for row in iterate_raw_rows(seeds, PUBLISHED_RANKINGS):
        player_id = _person(aliases, row["player_id"], "")
        said_at = (date.fromisoformat(row["last_update"]), row["ranking_name"])
        statements.add(player_id, 4, said_at, _facts(row))
        read.published.append(PublishedRating(player_id, row["ranking_name"].strip(), row))
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
        # Most cells are those of many others.
        row = {column: intern(cell) for column, cell in (listed | corrected).items()}
        withdrawn = corrected.get(WITHDRAWN) == "true"
        tournaments[row["tournament_id"]] = Tournament(
            row["tournament_id"],
            date.fromisoformat(row["started_on"]),
            date.fromisoformat(row["ended_on"]),
            _whole(row["players"], "players"),
            _whole(row["rounds"], "rounds"),
            row["kind"].strip().upper() in championships,
            withdrawn,
            withdrawn or bool(corrected.keys() - {WITHDRAWN}),
            row,
        )
    return dict(sorted(tournaments.items()))


# The person of a listed id, by tournament; under the empty id the one of every other tournament.
_Aliases = dict[str, dict[str, str]]


def _person(aliases: _Aliases, listed_id: str, tournament_id: str) -> str:
    meant = aliases.get(listed_id)
    return meant.get(tournament_id) or meant.get("") or listed_id if meant else listed_id


def _read_results(
    seeds: Path,
    tournaments: dict[str, Tournament],
    corrections: Corrections,
    aliases: _Aliases,
    statements: _Statements,
) -> None:
    """Read every result as it stands after corrections, without the withdrawn ones, into its tournament."""
    for listed in map(itemgetter(*_OF_RESULT), iterate_raw_rows(seeds, RESULTS)):
        cells = listed
        if corrections and (corrected := corrections.get((listed[0], listed[1]))):
            if corrected.get(WITHDRAWN) == "true":
                continue
            cells = tuple(corrected.get(column, cell) for column, cell in zip(_OF_RESULT, listed, strict=True))
        tournament_id, listed_id, cell, listed_name, published_score = cells[:_FACTS_FROM]
        tournament = tournaments[tournament_id]
        # One string a name, not one a result.
        player_id = intern(_person(aliases, listed_id, tournament_id) if listed_id in aliases else listed_id)
        placement = _whole(cell, "placement")
        score = _score(tournament.players, placement) if tournament.players and placement is not None else None
        tournament.results.append(
            ScoredResult(player_id, tournament, placement, score, intern(listed_name), published_score)
        )
        precedence = 2 if player_id == listed_id else 3
        statements.add(player_id, precedence, tournament.said_at, cells[_FACTS_FROM:])
    for tournament in tournaments.values():
        tournament.results.sort(key=attrgetter("player_id"))


@lru_cache(maxsize=1 << 16)
def _score(players: int, placement: int) -> FixedPoint:
    return fixed_point(percentile_score(players, placement))


# What is stated of a person: with which precedence, and the cells of `_FACTS`.
_Stated = tuple[int, tuple[str, ...]]
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
        # By person the latest day and place of everything that is stated: most people are listed alike again and again.
        self._latest: dict[str, dict[_Stated, _SaidAt]] = defaultdict(dict)

    def add(self, player_id: str, precedence: int, said_at: _SaidAt, facts: tuple[str, ...]) -> None:
        """Take what one row states: the cells of `_FACTS`."""
        of_person, stated = self._latest[player_id], (precedence, facts)
        latest = of_person.get(stated)
        if latest is None or latest < said_at:
            of_person[stated] = said_at

    def people(self) -> dict[str, Person]:
        """Every person in any row, with the best statement of each fact."""
        return {player_id: self._person(player_id, self._latest[player_id]) for player_id in sorted(self._latest)}

    def _person(self, player_id: str, stated: dict[_Stated, _SaidAt]) -> Person:
        weights: dict[str, dict[str, _Weight]] = defaultdict(dict)
        for (precedence, facts), (day, where) in stated.items():
            for fact, cell in zip(_FACTS, facts, strict=True):
                if value := (cell.upper() if fact in _CODES else cell).strip():
                    weight = (-precedence, day, where)
                    weights[fact][value] = max(weight, weights[fact].get(value, weight))
        person = Person(known_from=self.sources.get(player_id))
        for fact, values in weights.items():
            chosen = max(values, key=values.__getitem__)
            setattr(person, fact, intern(chosen) if fact in _CODES else _best_spelling(chosen, values))
        return person


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
