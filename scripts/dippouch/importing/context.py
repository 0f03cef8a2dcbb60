"""What a document is read with beside its own text: what the collection knows, and what the rating keeper states."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from pathlib import Path

from dippouch.importing.options import TournamentOptions
from dippouch.importing.parsing.nations import Nations, read_nations
from dippouch.seeds.not_people import NotPeople, read_not_people


@dataclass(frozen=True)
class Context:
    """What a document is read with.

    Attributes:
        nations: the nations of the collection.
        not_people: the words of the collection that name nobody.
        options: facts of the one tournament that the document may leave out.
        encoding: the encoding of its text, as the rating keeper states it; None: it is found out.
        last_day: the last day that a document may speak of; None: any.
    """

    nations: Nations
    not_people: NotPeople
    options: TournamentOptions = field(default_factory=TournamentOptions)
    encoding: str | None = None
    last_day: date | None = None


def read_context(
    folder: Path, options: TournamentOptions | None = None, *, encoding: str | None = None, last_day: date | None = None
) -> Context:
    """What the documents for a collection are read with.

    Args:
        folder: the collection, or the project's seeds for a new one.
        options: see `Context`.
        encoding: see `Context`.
        last_day: see `Context`.

    Raises:
        UserError: when a seed cannot be read.
    """
    return Context(read_nations(folder), read_not_people(folder), options or TournamentOptions(), encoding, last_day)
