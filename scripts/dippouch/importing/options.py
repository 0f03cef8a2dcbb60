"""Facts that the rating keeper states beside a document that leaves them out."""

from __future__ import annotations

from dataclasses import dataclass, fields


@dataclass(frozen=True)
class TournamentOptions:
    """Facts of one tournament, as given on the command line; what is None stands in the document.

    Attributes:
        date: a day or a span of days, as `dates.parse_date_span` understands it.
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
        """Return the facts that are stated, as text by option."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: str(value) for name, value in values.items() if value is not None}
