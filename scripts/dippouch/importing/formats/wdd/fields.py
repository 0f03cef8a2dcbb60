"""Shared by all formats of World Diplomacy Database pages: the fields above the table, and the cells in its rows.

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
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any

from dippouch.documents import ListedPlayer, PublishedRank, RankingDocument, Result, Source, TournamentDocument
from dippouch.errors import DocumentError, Faults, Location
from dippouch.importing.formats.cells import Cell
from dippouch.importing.parsing.dates import parse_date_span, parse_day
from dippouch.importing.parsing.numbers import parse_count, parse_placement, parse_score
from dippouch.names import shortened, split_listed_name, tidy_text

# The single line above the table for each group of fields, and its form in messages.
_DATE_PLACE = re.compile(r"Date\s*(?P<date>.+?)\s*Place\s*(?P<place>.*)")
_NUMBERS = re.compile(
    r"Number of players\s*(?P<players>\S*?)\s*Number of rounds\s*(?P<rounds>\S*?)\s*Number of boards\s*(?P<boards>\S*)"
)
_COEFFICIENTS = re.compile(
    r"Coeff 1\s*(?P<one>-|\d{1,4}\.\d\d)\s*Coeff 2\s*(?P<two>-|\d{1,4}\.\d\d)\s*Coeff 3\s*(?P<three>-|\d{1,4}\.\d\d)"
)
_AUTHOR = re.compile(r"Author\s*(?P<author>.+?)\s*Last Update\s*(?P<last_update>.*)")
_SHOWN = {
    _DATE_PLACE: "Date ... Place ...",
    _NUMBERS: "Number of players, Number of rounds, Number of boards",
    _COEFFICIENTS: "Coeff 1, Coeff 2, Coeff 3",
    _AUTHOR: "Author ... Last Update ...",
}
# The beginning of a line that is probably meant for it.
_STARTS = {_DATE_PLACE: "Date", _NUMBERS: "Number of players", _COEFFICIENTS: "Coeff", _AUTHOR: "Author"}

_LAST_UPDATE = re.compile(r"Last Update\s*(\d{4}-\d\d-\d\d)")


@dataclass(frozen=True)
class Line:
    """A line above the table, and whether it may be a title; for invisible lines, the place is the whole page."""

    location: Location
    text: str
    is_heading: bool


@dataclass(frozen=True)
class PageRow:
    """A row of the table on the page.

    Attributes:
        location: its place, for messages.
        nation_code, location_code: the nations of the flags, ISO alpha-3; None without a flag.
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
    """Return whether the lines above the table are those of a ranking: with an author, without date and place."""
    return any(map(_is_author, header)) and not any(_DATE_PLACE.fullmatch(line.text) for line in header)


def make_tournament(header: list[Line], rows: list[PageRow], source: Source) -> TournamentDocument:
    """Make the tournament of a page."""
    faults = Faults()
    fields: dict[str, Any] = {}
    locations: dict[str, Location] = {}
    with faults.gathered():
        at, stated = _header_line(header, _DATE_PLACE, source)
        title, here = _title_above(header, at), header[at].location
        if not 1 <= len(title) <= 2:
            expected = "the name, and at most one line of subtitle, under a blank line"
            faults.add(DocumentError(here, f"{len(title)} lines of title above the date", expected))
            title = [header[at]]
        fields |= {"name": tidy_text(title[0].text), "place": tidy_text(stated["place"]) or None}
        fields["subtitle"] = tidy_text(title[1].text) if len(title) == 2 else None
        locations |= {"name": title[0].location, "started_on": here}
        fields["started_on"], fields["ended_on"] = Cell(stated["date"], here).parsed("the date", parse_date_span)
    with faults.gathered():
        at, stated = _header_line(header, _NUMBERS, source)
        for name in ("players", "rounds", "boards"):
            locations[name] = header[at].location
            with faults.gathered():
                fields[name] = Cell(stated[name], header[at].location).parsed(f"`Number of {name}`", _count)
    with faults.gathered():
        at, stated = _header_line(header, _COEFFICIENTS, source)
        locations["coefficient_1"] = header[at].location
        fields["coefficients"] = tuple(None if text == "-" else Decimal(text) for text in stated.values())
    with faults.gathered():
        fields["last_update"] = _last_update(header)
    results = faults.each(rows, _result)
    faults.raise_any()
    return TournamentDocument(source=source, results=results, locations=locations, **fields)


def make_ranking(header: list[Line], rows: list[PageRow], source: Source) -> RankingDocument:
    """Make the ranking of a page."""
    at, stated = _header_line(header, _AUTHOR, source)
    here = header[at].location
    title = _title_above(header, at)
    faults = Faults()
    if not title:
        faults.add(DocumentError(here, "no line above the author", "the name of the ranking"))
    with faults.gathered():
        last_update = _update_day(stated["last_update"], here)
    ranks = faults.each(rows, _rank)
    faults.raise_any()
    return RankingDocument(source, tidy_text(title[0].text), tidy_text(stated["author"]), last_update, ranks)


def _is_author(line: Line) -> bool:
    """Return whether a line has the author of a ranking, which may also be on the page of a tournament."""
    return _AUTHOR.fullmatch(line.text) is not None


def _title_above(header: list[Line], at: int) -> list[Line]:
    """Return the title above a line of fields: the headings directly above it, or, without any, the one line above it."""
    while at > 0 and _is_author(header[at - 1]):
        at -= 1
    start = at
    while start > 0 and header[start - 1].is_heading:
        start -= 1
    return header[start:at] or [line for line in header[max(at - 1, 0) : at] if line.text]


def _result(row: PageRow) -> Result:
    faults = Faults()
    with faults.gathered():
        first_name, last_name = Cell(row.name, row.location).parsed("the name", _name)
    with faults.gathered():
        placement = Cell(row.number, row.location).parsed("the rank", parse_placement)
    with faults.gathered():
        score = Cell(row.score, row.location).parsed("the score", parse_score)
    faults.raise_any()
    player = ListedPlayer(
        row.name,
        first_name,
        last_name,
        row.location,
        nation_code=row.nation_code,
        location_code=row.location_code,
        source_ids=(f"wdd:{row.player_id}",) if row.player_id else (),
    )
    return Result(player, placement, score)


def _rank(row: PageRow) -> PublishedRank:
    result = _result(row)
    if result.placement is None or result.published_score is None:
        raise DocumentError(row.location, "no rank or no score", "a rank and a score in every row of a ranking")
    return PublishedRank(result.player, result.placement, result.published_score)


def _name(text: str) -> tuple[str, str]:
    try:
        return split_listed_name(text)
    except ValueError as error:
        raise ValueError(f"a name such as `Edi BIRSAN`, not {error}") from None


def _count(text: str) -> int | None:
    """Return a number that some pages omit."""
    return None if text in ("", "-") else parse_count(text)


def _header_line(header: list[Line], pattern: re.Pattern[str], source: Source) -> tuple[int, dict[str, str]]:
    """Return the single line above the table that matches a pattern, as (index, named groups)."""
    found = [(i, match.groupdict()) for i, line in enumerate(header) if (match := pattern.fullmatch(line.text))]
    if len(found) == 1:
        return found[0]
    shown = _SHOWN[pattern]
    if len(found) > 1:
        raise DocumentError(header[found[1][0]].location, f"a second line of `{shown}`", "one tournament a page")
    near = [line for line in header if line.text.startswith(_STARTS[pattern])]
    if near:
        raise DocumentError(near[-1].location, f"`{shortened(near[-1].text)}`", f"the header fields `{shown}`")
    raise source.fault("no such line above the table", f"the header fields `{shown}`")


def _last_update(header: list[Line]) -> date | None:
    """Return the day of the last update that the page shows."""
    found = next((line for line in header if _LAST_UPDATE.search(line.text)), None)
    return _update_day(_LAST_UPDATE.split(found.text)[1], found.location) if found else None


def _update_day(text: str, location: Location) -> date:
    return Cell(text, location).parsed("`Last Update`", parse_day)
