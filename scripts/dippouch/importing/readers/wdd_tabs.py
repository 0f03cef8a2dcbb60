"""Reader of the form `wdd-tabs`: a World Diplomacy Database page copied out of a browser, a tab between cells.

Flags are pictures and leave empty cells, so that the text has no nations:

    Rank	FirstName LastName	Loc.	Nat.	Score
    2	Leif BERGMAN			98.30
"""

from __future__ import annotations

from dippouch.errors import DocumentError
from dippouch.importing.documents import Document, Source
from dippouch.importing.names import shortened
from dippouch.importing.readers.wdd_page import Line, PageRow, dated_at, is_ranking, make_ranking, make_tournament
from dippouch.importing.readers.wdd_table import Head, joined_lines, read_head
from dippouch.importing.readers.wdd_text import title_above

FORM = "wdd-tabs"


def recognises(text: str) -> bool:
    """Whether a text is of this form: a line is the table's head, with tabs between its cells."""
    return any(_head_of(line) for line in text.split("\n"))


def read(text: str, source: Source) -> list[Document]:
    """The document that the text of one page holds.

    Raises:
        DocumentError: at the first row that cannot be read, or for a header field that is not there.
    """
    lines = text.split("\n")
    heads = [(i, head) for i, line in enumerate(lines) if (head := _head_of(line))]
    if len(heads) != 1:
        raise DocumentError(
            source.path, None, f"{len(heads)} tables", "one table headed `Rank`, `FirstName LastName` ..."
        )
    at, head = heads[0]
    header = joined_lines([Line(number, " ".join(line.split())) for number, line in enumerate(lines[:at], start=1)])
    rows = _rows(lines, at, head, source)
    if is_ranking(header):
        return [make_ranking(header, rows, source)]
    return [make_tournament(header, title_above(header, dated_at(header, source)), rows, source)]


def _head_of(line: str) -> Head | None:
    return read_head(line.split("\t")) if "\t" in line else None


def _rows(lines: list[str], at: int, head: Head, source: Source) -> list[PageRow]:
    """The rows of the table: it ends at a blank line, and nothing that looks like a row may come after it."""
    end = next((i for i in range(at + 1, len(lines)) if not lines[i].strip()), len(lines))
    rows = [_row(lines[i], i + 1, head, source) for i in range(at + 1, end)]
    for number, line in enumerate(lines[end:], start=end + 1):
        cells = line.split("\t")
        if len(cells) >= head.width and head.text(cells, "rank").isdigit() and head.text(cells, "name"):
            raise DocumentError(
                source.path,
                number,
                f"the row `{shortened(line)}` after the end of the table",
                "all rows in one table, without blank lines",
            )
    if not rows:
        raise DocumentError(source.path, at + 1, "a table without rows", "at least one row under the table's head")
    return rows


def _row(line: str, number: int, head: Head, source: Source) -> PageRow:
    cells = [cell.strip() for cell in line.split("\t")]
    name = head.text(cells, "name")
    if any(cells[head.width :]) or not name:
        raise DocumentError(
            source.path,
            number,
            f"`{shortened(line)}`",
            f"a row of at most {head.width} cells, a tab between them, with a name",
        )
    return PageRow(head.text(cells, "rank"), name, head.text(cells, "score"), line=number)
