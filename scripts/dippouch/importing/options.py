"""Facts that the keeper states beside a document that leaves them out."""

from __future__ import annotations

from dataclasses import dataclass, fields


@dataclass(frozen=True)
class TournamentOptions:
    """Facts of one tournament, as given on the command line; what is None stands in the document.

    Attributes:
        date: a day or a span, in any form that `dates.parse_date_span` understands.
        nation: the nation where it was played: ISO code or English name.
        players: the number of players that the event declares.
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

    def given(self) -> dict[str, str]:
        """The facts that are stated, as text by name."""
        values = ((field.name, getattr(self, field.name)) for field in fields(self))
        return {name: str(value) for name, value in values if value is not None}
