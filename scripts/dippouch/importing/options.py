"""Facts that the rating keeper states beside a document that leaves them out."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace

from dippouch.documents import Document, Source, TournamentDocument
from dippouch.errors import DocumentError, Location
from dippouch.importing.parsing.dates import parse_date_span
from dippouch.importing.parsing.nations import Nations

# The options that a document has a field of the same name for.
_SAME_NAME = ("name", "subtitle", "kind", "place", "players", "rounds", "boards")


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
        """The facts that are stated, as text by name."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: str(value) for name, value in values.items() if value is not None}


def option_location(option: str, source: Source) -> Location:
    """An option of the command line as the place of a fault."""
    return Location(source.path, place=f"option --{option}")


def completed(document: Document, options: TournamentOptions, nations: Nations) -> Document:
    """A document with the facts that it leaves out, as the rating keeper states them.

    Raises:
        DocumentError: when an option contradicts the document, or it is not about one tournament.
    """
    if options == TournamentOptions():
        return document
    source = document.source
    if not isinstance(document, TournamentDocument):
        raise source.fault("facts of a tournament as options", "a document of one tournament", "Leave the options out.")
    try:
        nation_code = nations.of_text(options.nation or "")
    except ValueError as error:
        raise DocumentError(option_location("nation", source), f"`{options.nation}`", str(error)) from None
    try:
        started_on, ended_on = parse_date_span(options.date) if options.date else (None, None)
    except ValueError as error:
        expected = f"a date such as `2013-08-23 - 2013-08-25` ({error})"
        raise DocumentError(option_location("date", source), f"`{options.date}`", expected) from None
    facts = {
        **{name: getattr(options, name) for name in _SAME_NAME},
        "nation_code": nation_code,
        "started_on": started_on,
        "ended_on": ended_on,
    }
    new: dict[str, object] = {}
    for name, fact in facts.items():
        stated = getattr(document, name)
        if fact is not None and stated is None:
            new[name] = fact
        elif fact is not None and str(stated).casefold() != str(fact).strip().casefold():
            raise DocumentError(
                document.location_of(name), f"{name} `{stated}`", f"`{fact}`, as the option says", "One is wrong."
            )
    return replace(document, **new)  # type: ignore[arg-type]
