"""Further input to reading a document: facts of the collection, and options of the rating keeper."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from dippouch.collection.files import read_rows
from dippouch.collection.schema import NOT_PEOPLE
from dippouch.reading.parsing.nations import Nations, read_nations

# Facts of one tournament that the command line may state, as text: `date` is a day or a span of days, as for
# `dates.parse_date_span`, `nation` the nation of the venue, as an ISO code or an English name.
OPTIONS = ("name", "subtitle", "kind", "date", "place", "nation", "players", "rounds", "boards")


@dataclass(frozen=True)
class ReadingChoices:
    """The rating keeper's choices for reading documents.

    Attributes:
        options: facts of the single tournament by OPTIONS, which override those of the document.
        format_name: the format of the files; detected when None.
        encoding: the encoding of the files; detected when None.
        columns: the columns of a table by further headings that the rating keeper states; empty for one to skip.
        ranking: the name of the published ranking that a table has instead of a tournament; empty for a tournament.
        last_first: whether names without a comma begin with the last name.
    """

    options: Mapping[str, str] = field(default_factory=dict)
    format_name: str | None = None
    encoding: str | None = None
    columns: Mapping[str, str] = field(default_factory=dict)
    ranking: str = ""
    last_first: bool = False


@dataclass(frozen=True)
class Context:
    """The input to reading a document besides its text; `totals` are the collection's words for a total, case-folded."""

    nations: Nations
    totals: frozenset[str]
    choices: ReadingChoices


def read_context(folder: Path, choices: ReadingChoices | None = None) -> Context:
    """Return the context for a collection, or for a new one with the project's seeds."""
    words = read_rows(folder / NOT_PEOPLE.path)
    totals = frozenset(row["listed_as"].strip().casefold() for row in words if row["meaning"].strip() == "total")
    return Context(read_nations(folder), totals, choices or ReadingChoices())
