"""The formats `wdd-text` and `wdd-tabs`: a World Diplomacy Database page as text.

In `wdd-text` the cells of the table run together, and so do the fields above it (`Number of players88`, `Coeff 120.00` is `Coeff 1` 20.00):

    RankFirstName LastNameLoc.Nat.Score
    2Leif BERGMAN98.30                                 placement, name, percentile score

In `wdd-tabs`, copied out of a browser, a tab is between the cells. Flags are pictures and leave empty cells, so neither has nations:

    Rank	FirstName LastName	Loc.	Nat.	Score
    2	Leif BERGMAN			98.30
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from dippouch.documents import Document, Source
from dippouch.errors import DocumentError, Faults, Location
from dippouch.importing.formats.wdd.columns import Head, read_head
from dippouch.importing.formats.wdd.fields import Line, PageRow, is_author, is_ranking, make_ranking, make_tournament
from dippouch.names import shortened

TEXT_FORMAT, TABS_FORMAT = "wdd-text", "wdd-tabs"

_TABLE_HEAD = re.compile(r"Rank\s*FirstName\s+LastName\s*(Loc\.\s*Nat\.|Nat\.\s*Loc\.)\s*Score", re.IGNORECASE)
# A score is looked for only where digits begin: otherwise the time would grow with the square of many digits.
# A director who played is listed without a number, and without a score.
_ROW = re.compile(r"(?P<number>[0-9]*)\s*(?P<name>[^0-9].*?)\s*(?P<score>(?<![0-9])[0-9]+\.[0-9]{2})?")

# A label whose line belongs to the line above it, and one whose value may stand on the line below.
_CONTINUES = ("Place", "Number of rounds", "Number of boards", "Coeff 2", "Coeff 3", "Last Update")
_LABELS = ("Date", "Number of players", "Coeff 1", "Author", *_CONTINUES)

# No label with its value is as long. What grew on line by line would be copied as often.
_LONGEST_JOINED = 2_000


def is_text(text: str) -> bool:
    """Return whether a line of a text is the table's head, cells run together."""
    return any("\t" not in line and _TABLE_HEAD.fullmatch(line) for line in map(str.strip, text.split("\n")))


def is_tabs(text: str) -> bool:
    """Return whether a line of a text is the table's head, with tabs between its cells."""
    return any(_tabbed_head(line) for line in text.split("\n"))


def read_text(text: str, source: Source) -> list[Document]:
    """Read the document that the text of one page holds, cells run together.

    Raises:
        DocumentError: for the lines that cannot be read, and for the header fields that are not there.
    """

    def parse(line: str, location: Location) -> PageRow:
        match = _ROW.fullmatch(line)
        if not match or bool(match["number"]) != bool(match["score"]):
            expected = "a row such as `8Emmanuel DU PONTAVICE90.00` (number, name, score at two decimals)"
            raise DocumentError(location, f"`{shortened(line)}`", expected)
        return PageRow(location, match["number"], match["name"], match["score"] or "")

    def looks_like_row(line: str) -> bool:
        match = _ROW.fullmatch(line)
        return bool(match and match["number"] and match["score"])

    # One blank is as good as many, except for the time that a pattern takes to find that out.
    lines = [" ".join(line.split()) for line in text.split("\n")]
    heads = [i for i, line in enumerate(lines) if _TABLE_HEAD.fullmatch(line)]
    if len(heads) != 1:
        raise source.fault(f"{len(heads)} tables", "one table headed `RankFirstName LastName...Score`")
    above = [Line(Location(source.path, number), line) for number, line in enumerate(lines[: heads[0]], start=1)]
    return _read_page(above, lines, heads[0], source, parse, looks_like_row)


def read_tabs(text: str, source: Source) -> list[Document]:
    """Read the document that the text of one page holds, a tab between cells.

    Raises:
        DocumentError: for the rows that cannot be read, and for the header fields that are not there.
    """
    lines = text.split("\n")
    heads = [(i, head) for i, line in enumerate(lines) if (head := _tabbed_head(line))]
    if len(heads) != 1:
        raise source.fault(f"{len(heads)} tables", "one table headed `Rank`, `FirstName LastName` ...")
    at, head = heads[0]

    def parse(line: str, location: Location) -> PageRow:
        cells = [cell.strip() for cell in line.split("\t")]
        name = head.text(cells, "name")
        if any(cells[head.width :]) or not name:
            expected = f"a row of at most {head.width} cells, a tab between them, with a name"
            raise DocumentError(location, f"`{shortened(line)}`", expected)
        return PageRow(location, head.text(cells, "rank"), name, head.text(cells, "score"))

    def looks_like_row(line: str) -> bool:
        cells = line.split("\t")
        return len(cells) >= head.width and head.text(cells, "rank").isdigit() and bool(head.text(cells, "name"))

    numbered = enumerate(lines[:at], start=1)
    above = [Line(Location(source.path, number), " ".join(line.split())) for number, line in numbered]
    return _read_page(joined_lines(above), lines, at, source, parse, looks_like_row)


def joined_lines(lines: Sequence[Line]) -> list[Line]:
    """Join lines such that what belongs together (`Date ... Place ...`) is on one, as the page shows it."""
    joined: list[Line] = []
    for line in lines:
        above = joined[-1] if joined else None
        text = line.text.replace(" :", ":")
        for label in _LABELS:
            text = text.replace(f"{label}:", label)
        if above and text and len(above.text) < _LONGEST_JOINED and _belongs(text, above.text):
            joined[-1] = Line(above.location, f"{above.text} {text}")
        else:
            joined.append(Line(line.location, text))
    return joined


def _belongs(text: str, above: str) -> bool:
    """Whether a line continues the fields of the line above it: with the next field, or with a field's value."""
    continues = text.startswith(_CONTINUES) or (above.endswith(_LABELS) and not text.startswith(_LABELS))
    return continues and above.startswith(_LABELS)


def _tabbed_head(line: str) -> Head | None:
    return read_head(line.split("\t")) if "\t" in line else None


def _read_page(
    above: list[Line],
    lines: list[str],
    head_at: int,
    source: Source,
    parse: Callable[[str, Location], PageRow],
    looks_like_row: Callable[[str], bool],
) -> list[Document]:
    """The document that the lines above a table and its rows make. The table ends at a blank line.

    Args:
        above: the lines above the table.
        lines: all lines of the page.
        head_at: the index of the table's head among them.
        source: the page.
        parse: reads a row of the table.
        looks_like_row: whether a line may be a row that strayed from the table.

    Raises:
        DocumentError: for everything that is wrong with the page.
    """
    faults = Faults()
    end = next((i for i in range(head_at + 1, len(lines)) if not lines[i].strip()), len(lines))
    rows = faults.each(range(head_at + 1, end), lambda i: parse(lines[i], Location(source.path, i + 1)))
    for number, line in enumerate(lines[end:], start=end + 1):
        if looks_like_row(line):
            found = f"the row `{shortened(line)}` after the end of the table"
            faults.add(
                DocumentError(Location(source.path, number), found, "all rows in one table, without blank lines")
            )
    if end == head_at + 1:
        head = Location(source.path, head_at + 1)
        faults.add(DocumentError(head, "a table without rows", "at least one row under the table's head"))
    with faults.gathered():
        document: Document = (
            make_ranking(above, rows, source)
            if is_ranking(above)
            else make_tournament(above, lambda at: _title_above(above, at), rows, source)
        )
    faults.raise_any()
    return [document]


def _title_above(header: list[Line], at: int) -> list[Line]:
    """The lines above a line, up to a blank one; the author of the ranking is no title."""
    while at > 0 and is_author(header[at - 1]):
        at -= 1
    start = at
    while start > 0 and header[start - 1].text:
        start -= 1
    return header[start:at]
