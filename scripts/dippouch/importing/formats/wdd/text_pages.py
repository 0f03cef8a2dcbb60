"""The formats `wdd-text` and `wdd-tabs`: a World Diplomacy Database page as text.

In `wdd-text` cells of the table have no separators, nor do the fields above it (`Number of players88`, `Coeff 120.00` is `Coeff 1`
20.00):

    RankFirstName LastNameLoc.Nat.Score
    2Leif BERGMAN98.30                                 placement, name, percentile score

In `wdd-tabs`, copied out of a browser, tabs separate the cells. Flags are images and leave empty cells, so neither format has nations:

    Rank	FirstName LastName	Loc.	Nat.	Score
    2	Leif BERGMAN			98.30

Also for pages saved as HTML: the fields above the table, and the document of a page.

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
from collections.abc import Sequence
from dataclasses import dataclass, replace

from dippouch.documents import Document, RankingDocument, Result, Source, TournamentDocument
from dippouch.errors import DocumentError, Faults, Location
from dippouch.importing.context import Context
from dippouch.importing.formats.standings import Facts, ResultRows, make_tournament
from dippouch.importing.formats.table import PEOPLE, Cell, Columns, Row, columns_in, read_columns
from dippouch.importing.parsing.dates import parse_day
from dippouch.importing.parsing.words import words
from dippouch.names import shortened, tidy_text

TEXT_FORMAT, TABS_FORMAT = "wdd-text", "wdd-tabs"

_TABLE_HEAD = re.compile(r"Rank\s*FirstName\s+LastName\s*(Loc\.\s*Nat\.|Nat\.\s*Loc\.)\s*Score", re.IGNORECASE)
_ONLY_ON_PAGES = re.compile("FirstName|Coeff 1|Last Update", re.IGNORECASE)
# A score must start at the first digit: otherwise the time would be quadratic in the number of digits.
# A director who played is listed without a number, and without a score.
_TEXT_ROW = re.compile(r"(?P<number>[0-9]*)\s*(?P<name>[^0-9].*?)\s*(?P<score>(?<![0-9])[0-9]+\.[0-9]{2})?")
_EXPECTED = "a row such as `8Emmanuel DU PONTAVICE90.00` or `8<tab>Emmanuel DU PONTAVICE`: number, name, score"

# The single line above the table for each group of fields, by its labels.
_DATE, _NUMBERS = "Date ... Place ...", "Number of players, Number of rounds, Number of boards"
_COEFFICIENTS, _AUTHOR = "Coeff 1, Coeff 2, Coeff 3", "Author ... Last Update ..."
_GROUPS = {
    _DATE: re.compile(r"Date\s*(?P<date>.+?)\s*Place\s*(?P<place>.*)"),
    _NUMBERS: re.compile(
        r"Number of players\s*(?P<players>\S*?)\s*Number of rounds\s*(?P<rounds>\S*?)\s*Number of boards\s*(?P<boards>\S*)"
    ),
    _COEFFICIENTS: re.compile(
        r"Coeff 1\s*(?P<coefficient_1>-|\d{1,4}\.\d\d)\s*Coeff 2\s*(?P<coefficient_2>-|\d{1,4}\.\d\d)"
        r"\s*Coeff 3\s*(?P<coefficient_3>-|\d{1,4}\.\d\d)"
    ),
    _AUTHOR: re.compile(r"Author\s*(?P<author>.+?)\s*Last Update\s*(?P<last_update>.*)"),
}
_LAST_UPDATE = re.compile(r"Last Update\s*(\d{4}-\d\d-\d\d)")

# Labels whose line continues the line above, and labels whose value may be on the next line.
_CONTINUES = ("Place", "Number of rounds", "Number of boards", "Coeff 2", "Coeff 3", "Last Update")
_LABELS = ("Date", "Number of players", "Coeff 1", "Author", *_CONTINUES)


@dataclass(frozen=True)
class Line:
    """A line above the table, and whether it may be a title."""

    location: Location
    text: str
    is_heading: bool


def known_columns() -> dict[str, str]:
    """Return the columns of the site's tables by their headings: `Score` is a percentile score or a rating there."""
    of_player = {"date": "date", "type": "kind", "name_of_the_tournament": "tournament"}
    return {**words("heading"), "score": "published_score", **of_player}


def is_page_head(texts: Sequence[str]) -> bool:
    """Return whether texts are the headings of a table of players, or of a player's tournaments."""
    found = columns_in(texts, known_columns())
    return "placement" in found and (not found.isdisjoint(PEOPLE) or {"date", "tournament"} <= found)


def make_document(
    lines: Sequence[Line], rows: Sequence[Row], columns: Columns, source: Source, context: Context, faults: Faults
) -> TournamentDocument | RankingDocument:
    """Make the tournament or the ranking of a page.

    Args:
        lines: the lines above the table.
        rows: its rows.
        columns: its columns.
        source: the page.
        context: the reading context.
        faults: the faults of the page so far.

    Raises:
        DocumentError: with all faults of the page.
    """
    header = _joined(lines)
    found = ResultRows()
    for row in rows:
        with faults.gathered():
            found.add(row, columns, context, faults)
    stated = {group for group, pattern in _GROUPS.items() if any(pattern.fullmatch(line.text) for line in header)}
    if _AUTHOR in stated and _DATE not in stated:
        return _make_ranking(header, found, source, faults)
    facts: Facts = {}
    with faults.gathered():
        at, facts = _fields(header, _DATE, source)
        title = _title_above(header, at)
        if not 1 <= len(title) <= 2:
            expected = "the name, and at most one line of subtitle, under a blank line"
            faults.add(DocumentError(header[at].location, f"{len(title)} lines of title above the date", expected))
            title = [header[at]]
        facts |= {name: Cell(line.text, line.location) for name, line in zip(("name", "subtitle"), title, strict=False)}
    for group in (_NUMBERS, _COEFFICIENTS):
        with faults.gathered():
            facts |= _fields(header, group, source)[1]
    if updated := next((line for line in header if _LAST_UPDATE.search(line.text)), None):
        facts["last_update"] = Cell(_LAST_UPDATE.split(updated.text)[1], updated.location)
    # Without the line of the date, that fault is the only one to show.
    needed = ("name", "date") if "date" in facts else ()
    return make_tournament(facts, found.results, source, context, faults, needed, remarks=found.remarks())


def _make_ranking(header: list[Line], found: ResultRows, source: Source, faults: Faults) -> RankingDocument:
    at, stated = _fields(header, _AUTHOR, source)
    title = _title_above(header, at)
    if not title:
        faults.add(DocumentError(header[at].location, "no line above the author", "the name of the ranking"))
    with faults.gathered():
        last_update = stated["last_update"].parsed("`Last Update`", parse_day)
    ranks = faults.each(found.results, _rank)
    faults.raise_any()
    names = tidy_text(title[0].text), tidy_text(stated["author"].text)
    return RankingDocument(source, *names, last_update, ranks, tuple(found.remarks()))


def _rank(result: Result) -> Result:
    if result.placement is None or result.published_score is None:
        expected = "a rank and a score in every row of a ranking"
        raise DocumentError(result.player.location, "no rank or no score", expected)
    return result


def _title_above(header: list[Line], at: int) -> list[Line]:
    """Return the title above a line of fields: the headings directly above it, or, without any, the one line above it."""
    while at > 0 and _GROUPS[_AUTHOR].fullmatch(header[at - 1].text):
        at -= 1
    start = at
    while start > 0 and header[start - 1].is_heading:
        start -= 1
    return header[start:at] or [line for line in header[max(at - 1, 0) : at] if line.text]


def _fields(header: list[Line], group: str, source: Source) -> tuple[int, Facts]:
    """Return the index of the single line of a group of fields, and the facts in it; a blank or `-` states none."""
    found = [(i, match) for i, line in enumerate(header) if (match := _GROUPS[group].fullmatch(line.text))]
    if len(found) != 1:
        begins = re.split(",| \\.| 1", group)[0]
        near = [line for line in header if line.text.startswith(begins)]
        what = f"{len(found)} such lines" if found or not near else f"`{shortened(near[-1].text)}`"
        place = near[-1].location if near else Location(source.path)
        raise DocumentError(place, f"{what} above the table", f"the header fields `{group}` once")
    at, match = found[0]
    stated = {name: Cell(text, header[at].location) for name, text in match.groupdict().items()}
    return at, {name: cell for name, cell in stated.items() if cell.text not in ("", "-")}


def _joined(lines: Sequence[Line]) -> list[Line]:
    """Join lines so that fields that belong together (`Date ... Place ...`) are on one line, as on the page."""
    joined: list[Line] = []
    for line in lines:
        text = line.text.replace(" :", ":")
        for label in _LABELS:
            text = text.replace(f"{label}:", label)
        above = joined[-1].text if joined else ""
        # The line continues the fields of the line above: with the next field, or with a field's value.
        continues = text.startswith(_CONTINUES) or (above.endswith(_LABELS) and not text.startswith(_LABELS))
        if text and continues and above.startswith(_LABELS):
            joined[-1] = replace(joined[-1], text=f"{above} {text}")
        else:
            joined.append(replace(line, text=text))
    return joined


def detect_text(text: str) -> bool:
    """Return whether a line of a text is the head of a table without separators."""
    return any(_TABLE_HEAD.fullmatch(line.strip()) for line in text.split("\n"))


def detect_tabs(text: str) -> bool:
    """Return whether a line of a text is the head of a table with tabs, and the text has fields that only these pages have."""
    return bool(_ONLY_ON_PAGES.search(text)) and any(map(_is_head, text.split("\n")))


def read(text: str, source: Source, context: Context) -> list[Document]:
    """Read the document of a page's text, in either format."""
    lines = [Row(Location(source.path, number), [line]) for number, line in enumerate(text.split("\n"), start=1)]
    heads = [i for i, line in enumerate(lines) if _is_head(line.texts[0])]
    if len(heads) != 1:
        raise source.fault(f"{len(heads)} tables", "one table headed `Rank`, `FirstName LastName`, ... `Score`")
    at = heads[0]
    head = lines[at].texts[0]
    if "\t" in head:
        columns = read_columns(Row(lines[at].location, head.split("\t")), known_columns())
    else:
        columns = Columns(lines[at], {"placement": 0, "name": 1, "published_score": 2}, 3)
    above = [Line(line.location, " ".join(line.texts[0].split()), bool(line.texts[0].strip())) for line in lines[:at]]
    end = next((i for i in range(at + 1, len(lines)) if not lines[i].texts[0].strip()), len(lines))
    faults = Faults()
    rows = []
    for line in lines[at + 1 : end]:
        if row := _text_row(line, columns):
            rows.append(row)
        else:
            faults.add(DocumentError(line.location, f"`{shortened(line.texts[0])}`", _EXPECTED))
    for line in lines[end:]:
        row = _text_row(line, columns)
        if row and columns.text(row, "placement").isdigit() and columns.text(row, "published_score"):
            found = f"the row `{shortened(line.texts[0])}` after the end of the table"
            faults.add(DocumentError(line.location, found, "all rows in one table, without blank lines"))
    if end == at + 1:
        faults.add(DocumentError(lines[at].location, "a table without rows", "at least one row under the table's head"))
    return [make_document(above, rows, columns, source, context, faults)]


def _is_head(line: str) -> bool:
    return is_page_head(line.split("\t")) if "\t" in line else _TABLE_HEAD.fullmatch(line.strip()) is not None


def _text_row(line: Row, columns: Columns) -> Row | None:
    """Return the cells of a line; None if it is no row of the table."""
    text = line.texts[0]
    if len(columns.head.texts) == 1:
        # Several blanks equal one, but make the pattern slow.
        match = _TEXT_ROW.fullmatch(" ".join(text.split()))
        cells = list(match.groups(default="")) if match and bool(match["number"]) == bool(match["score"]) else []
    else:
        cells = [cell.strip() for cell in text.split("\t")]
    has_name = any(columns.text(Row(line.location, cells), name) for name in ("name", "last_name"))
    return Row(line.location, cells) if has_name and not any(cells[columns.width :]) else None
