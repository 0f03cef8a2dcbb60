"""What a document is read with beside its own text: what the collection knows, and what the rating keeper states."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from datetime import date
from pathlib import Path

from dippouch.importing.parsing.nations import Nations, read_nations
from dippouch.seeds.not_people import NotPeople, read_not_people


@dataclass(frozen=True)
class TournamentOptions:
    """Facts of one tournament, as given on the command line; what is None stands in the document.

    Attributes:
        date: a day or a span of days, as `dates.parse_date_span` understands it.
        nation: the nation where it was played: ISO code or English name.
        players: the number of players that the event declares.
        override: whether they go before what the document states.
    """

    name: str | None = None
    subtitle: str | None = None
    kind: str | None = None
    date: str | None = None
    place: str | None = None
    nation: str | None = None
    players: int | None = None
    rounds: int | None = None
    boards: int | None = None
    override: bool = False

    def given(self) -> dict[str, str]:
        """Return the facts that are stated, as text by option."""
        values = {field.name: getattr(self, field.name) for field in fields(self) if field.name != "override"}
        return {name: str(value) for name, value in values.items() if value is not None}


@dataclass(frozen=True)
class Context:
    """What a document is read with.

    Attributes:
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
    """What the documents for a collection, or for a new one that begins with the project's seeds, are read with: see `Context`."""
    return Context(read_nations(folder), read_not_people(folder), options or TournamentOptions(), encoding, last_day)
