"""What a document states, whatever its form: a tournament with its results, or rows of a published ranking."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from pathlib import Path


@dataclass(frozen=True)
class Source:
    """Where facts come from.

    Attributes:
        path: the document as it was named to the importer.
        sha256: hash of its bytes, 64 hexadecimal digits.
        form: the form that was read, e.g. `wdd-text`.
    """

    path: Path
    sha256: str
    form: str


@dataclass(frozen=True)
class ListedPlayer:
    """A person as a document lists them.

    Attributes:
        listed_name: the name as it stands in the document, faults included.
        first_name: first names, repaired; may be empty.
        last_name: last name, repaired.
        line: line of the document, from 1, for messages.
    """

    listed_name: str
    first_name: str
    last_name: str
    line: int


@dataclass(frozen=True)
class Result:
    """One row of a tournament's table. `published_score` is the percentile score as printed, at two decimals."""

    player: ListedPlayer
    placement: int
    published_score: Decimal | None = None


@dataclass(frozen=True)
class TournamentDocument:
    """A tournament and its listed results.

    Attributes:
        field_lines: line of the document by field name, for messages.
        coefficients: the printed `Coeff` 1 to 3; None where the page shows "-".
        players: the number of players that the event declares, never a count of rows.
    """

    source: Source
    name: str
    subtitle: str | None
    kind: str | None
    started_on: date
    ended_on: date
    place: str
    players: int
    rounds: int
    boards: int | None
    coefficients: tuple[Decimal | None, Decimal | None, Decimal | None]
    results: list[Result]
    field_lines: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class PublishedRank:
    """One row of a published ranking: rank from 1, rating at two decimals."""

    player: ListedPlayer
    rank: int
    rating: Decimal


@dataclass(frozen=True)
class RankingDocument:
    """A page of a ranking that somebody else published."""

    source: Source
    ranking_name: str
    author: str
    last_update: date
    ranks: list[PublishedRank]


Document = TournamentDocument | RankingDocument
