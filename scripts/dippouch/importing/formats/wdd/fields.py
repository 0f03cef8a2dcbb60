"""What every format of a World Diplomacy Database page shares: the fields above the table, and the cells in its rows.

The page of a tournament has, above a table headed `Rank, FirstName LastName, Loc., Nat., Score`:

    WDC VI 1996                                        name
    Origins & DipCon 29                                subtitle, on some pages
    Date June 1, 1996 Place Columbus
    Number of players 88 Number of rounds 3 Number of boards 24
    Coeff 1 20.00 Coeff 2 - Coeff 3 -

The page of a ranking has `Author ... Last Update ...` under the ranking's name and the same kind of table.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any

from dippouch.documents import ListedPlayer, PublishedRank, RankingDocument, Result, Source, TournamentDocument
from dippouch.errors import DocumentError, Faults, Location
from dippouch.importing.formats.gathering import FirstFaults, read_all
from dippouch.importing.parsing.dates import parse_date_span
from dippouch.importing.parsing.nations import Nations
from dippouch.importing.parsing.numbers import SCORE, parse_count, parse_placement
from dippouch.names import shortened, split_listed_name, tidy_text

_DATE_PLACE = re.compile(r"Date\s*(?P<date>.+?)\s*Place\s*(?P<place>.*)")
_NUMBERS = re.compile(
    r"Number of players\s*(?P<players>\S*?)\s*Number of rounds\s*(?P<rounds>\S*?)\s*Number of boards\s*(?P<boards>\S*)"
)
_COEFFICIENTS = re.compile(
    r"Coeff 1\s*(?P<one>-|\d{1,4}\.\d\d)\s*Coeff 2\s*(?P<two>-|\d{1,4}\.\d\d)\s*Coeff 3\s*(?P<three>-|\d{1,4}\.\d\d)"
)
_AUTHOR = re.compile(r"Author\s*(?P<author>.+?)\s*Last Update\s*(?P<last_update>.*)")

# The values of fields, and where they stand.
_Part = tuple[dict[str, Any], dict[str, Location]]

_LAST_UPDATE = re.compile(r"Last Update\s*(\d{4}-\d\d-\d\d)")


@dataclass(frozen=True)
class Line:
    """A line above the table; on a page whose lines nobody sees, the location is that of the page."""

    location: Location
    text: str


@dataclass(frozen=True)
class PageRow:
    """A row of the table as it stands on the page.

    Attributes:
        location: where the row stands, for messages.
        nation_code, location_code: the nations of the flags, ISO alpha-3; None where there is none.
        player_id: the id in the link to the player's page.
    """

    location: Location
    number: str
    name: str
    score: str
    nation_code: str | None = None
    location_code: str | None = None
    player_id: str | None = None


def is_ranking(header: list[Line]) -> bool:
    """Whether the lines above the table are those of a ranking: they have an author, and no date and place."""
    return any(map(is_author, header)) and not any(_DATE_PLACE.fullmatch(line.text) for line in header)


def is_author(line: Line) -> bool:
    """Whether a line has the author of a ranking, which may stand on the page of a tournament, too."""
    return _AUTHOR.fullmatch(line.text) is not None


def dated_at(header: list[Line], source: Source) -> int:
    """The index of the line with date and place: the title stands above it.

    Raises:
        DocumentError: when there is no such line, or several.
    """
    return _header_line(header, _DATE_PLACE, "Date ... Place ...", "Date", source)[0]


def authored_at(header: list[Line], source: Source) -> int:
    """The index of the line with the author of a ranking: its name stands above it.

    Raises:
        DocumentError: when there is no such line, or several.
    """
    return _header_line(header, _AUTHOR, "Author ... Last Update ...", "Author", source)[0]


def make_tournament(
    header: list[Line], title_at: Callable[[int], list[Line]], rows: list[PageRow], source: Source
) -> TournamentDocument:
    """The tournament that a page states.

    Args:
        header: the lines above the table.
        title_at: gives the lines of the title above the line of such an index.
        rows: the rows of the table.
        source: the page.

    Raises:
        DocumentError: for the fields that are missing or cannot be read, and for such rows.
    """
    faults = FirstFaults()
    parts: tuple[Callable[[], _Part], ...] = (
        lambda: _title_and_days(header, title_at, source),
        lambda: _counts(header, source),
        lambda: _coefficients(header, source),
        lambda: ({"last_update": _last_update(header)}, {}),
    )
    fields: dict[str, Any] = {}
    locations: dict[str, Location] = {}
    for values, places in read_all(parts, lambda part: part(), faults):
        fields |= values
        locations |= places
    results = read_all(rows, _result, faults)
    faults.raise_any()
    return TournamentDocument(source=source, results=results, locations=locations, **fields)


def make_ranking(header: list[Line], rows: list[PageRow], source: Source) -> RankingDocument:
    """The ranking that a page states.

    Raises:
        DocumentError: for the fields that are missing or cannot be read, and for such rows.
    """
    author_at, author = _header_line(header, _AUTHOR, "Author ... Last Update ...", "Author", source)
    here = header[author_at].location
    name = header[author_at - 1].text if author_at else ""
    last_update = None
    faults = FirstFaults()
    with faults.gathered():
        if not name:
            raise DocumentError(here, "no line above the author", "the name of the ranking")
    with faults.gathered():
        last_update = _update_day(author["last_update"], here)
    ranks = read_all(rows, _rank, faults)
    faults.raise_any()
    assert last_update is not None
    return RankingDocument(
        source=source,
        ranking_name=tidy_text(name),
        author=tidy_text(author["author"]),
        last_update=last_update,
        ranks=ranks,
    )


def nation_of_flag(code: str, location: Location, nations: Nations) -> str | None:
    """The nation of a flag that stands at a location.

    Raises:
        DocumentError: for a flag of no nation that is known.
    """
    try:
        return nations.of_flag(code)
    except ValueError as error:
        raise DocumentError(location, f"the flag `{shortened(code)}`", str(error), "Add it there.") from None


def _title_and_days(header: list[Line], title_at: Callable[[int], list[Line]], source: Source) -> _Part:
    at = dated_at(header, source)
    here, stated = header[at].location, _DATE_PLACE.fullmatch(header[at].text)
    assert stated is not None
    title = title_at(at)
    faults = Faults()
    with faults.gathered():
        if not 1 <= len(title) <= 2:
            found = f"{len(title)} lines of title above the date"
            raise DocumentError(here, found, "the name, and at most one line of subtitle, under a blank line")
    fields: dict[str, Any] = {"place": tidy_text(stated["place"]) or None}
    with faults.gathered():
        try:
            fields["started_on"], fields["ended_on"] = parse_date_span(stated["date"])
        except ValueError as error:
            found = f"the date `{shortened(stated['date'])}` ({error})"
            raise DocumentError(here, found, "a date such as `August 23-25, 2013`") from None
    faults.raise_any()
    fields["name"] = tidy_text(title[0].text)
    fields["subtitle"] = tidy_text(title[1].text) if len(title) == 2 else None
    return fields, {"name": title[0].location, "started_on": here}


def _counts(header: list[Line], source: Source) -> _Part:
    shown = "Number of players, Number of rounds, Number of boards"
    at, stated = _header_line(header, _NUMBERS, shown, "Number of players", source)
    names = ("players", "rounds", "boards")
    faults = Faults()
    counts = read_all(names, lambda name: _count(stated[name], f"Number of {name}", header[at]), faults)
    faults.raise_any()
    return dict(zip(names, counts, strict=True)), dict.fromkeys(names, header[at].location)


def _coefficients(header: list[Line], source: Source) -> _Part:
    at, stated = _header_line(header, _COEFFICIENTS, "Coeff 1, Coeff 2, Coeff 3", "Coeff", source)
    coefficients = tuple(_coefficient(stated[name]) for name in ("one", "two", "three"))
    return {"coefficients": coefficients}, {"coefficient_1": header[at].location}


def _result(row: PageRow) -> Result:
    faults = Faults()
    readers: tuple[Callable[[PageRow], Any], ...] = (_player, _placement, _score)
    parts = read_all(readers, lambda read: read(row), faults)
    faults.raise_any()
    return Result(*parts)


def _rank(row: PageRow) -> PublishedRank:
    result = _result(row)
    if result.placement is None or result.published_score is None:
        raise DocumentError(row.location, "no rank or no score", "a rank and a score in every row of a ranking")
    return PublishedRank(result.player, result.placement, result.published_score)


def _placement(row: PageRow) -> int | None:
    try:
        return parse_placement(row.number)
    except ValueError as error:
        raise DocumentError(row.location, f"the rank `{shortened(row.number)}`", str(error)) from None


def _score(row: PageRow) -> Decimal | None:
    if row.score in ("", "-"):
        return None
    if not SCORE.fullmatch(row.score):
        found = f"the score `{shortened(row.score)}`"
        raise DocumentError(row.location, found, "a score at two decimals, such as `98.30`")
    return Decimal(row.score)


def _player(row: PageRow) -> ListedPlayer:
    try:
        first_name, last_name = split_listed_name(row.name)
    except ValueError as error:
        found = f"the name `{shortened(row.name)}` with {error}"
        raise DocumentError(row.location, found, "a name such as `Edi BIRSAN`") from None
    return ListedPlayer(
        row.name,
        first_name,
        last_name,
        row.location,
        nation_code=row.nation_code,
        location_code=row.location_code,
        source_player_id=f"wdd:{row.player_id}" if row.player_id else None,
    )


def _header_line(
    header: list[Line], pattern: re.Pattern[str], shown: str, start: str, source: Source
) -> tuple[int, dict[str, str]]:
    """The one line above the table that a pattern fits, as (index, named groups)."""
    found = [(i, match.groupdict()) for i, line in enumerate(header) if (match := pattern.fullmatch(line.text))]
    if len(found) == 1:
        return found[0]
    if len(found) > 1:
        raise DocumentError(header[found[1][0]].location, f"a second line of `{shown}`", "one tournament a page")
    near = [line for line in header if line.text.startswith(start)]
    if near:
        raise DocumentError(near[-1].location, f"`{shortened(near[-1].text)}`", f"the header fields `{shown}`")
    raise source.fault("no such line above the table", f"the header fields `{shown}`")


def _count(text: str, label: str, line: Line) -> int | None:
    """A number that some pages leave out."""
    if text in ("", "-"):
        return None
    try:
        return parse_count(text)
    except ValueError as error:
        raise DocumentError(line.location, f"`{label}` `{shortened(text)}`", str(error)) from None


def _last_update(header: list[Line]) -> date | None:
    """The day on which the page says that it was updated."""
    found = [(line, match[1]) for line in header if (match := _LAST_UPDATE.search(line.text))]
    return _update_day(found[0][1], found[0][0].location) if found else None


def _update_day(text: str, location: Location) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        found = f"`Last Update` `{shortened(text)}`"
        raise DocumentError(location, found, "a date such as `2017-08-06`") from None


def _coefficient(text: str) -> Decimal | None:
    return None if text == "-" else Decimal(text)
