"""The format `wdd-tabs`: a World Diplomacy Database page copied out of a browser, a tab between cells.

Flags are pictures and leave empty cells, so that the text has no nations:

    Rank	FirstName LastName	Loc.	Nat.	Score
    2	Leif BERGMAN			98.30
"""

from __future__ import annotations

from dippouch.documents import Document, Source
from dippouch.errors import DocumentError, Faults, Location
from dippouch.importing.formats.gathering import FirstFaults
from dippouch.importing.formats.wdd.columns import Head, read_head
from dippouch.importing.formats.wdd.fields import Line, PageRow
from dippouch.importing.formats.wdd.text_lines import joined_lines, read_page, table_rows
from dippouch.names import shortened

FORMAT = "wdd-tabs"


def detect(text: str) -> bool:
    """Whether a text is of this format: a line is the table's head, with tabs between its cells."""
    return any(_head_of(line) for line in text.split("\n"))


def read(text: str, source: Source) -> list[Document]:
    """The document that the text of one page holds.

    Raises:
        DocumentError: for the rows that cannot be read, and for the header fields that are not there.
    """
    lines = text.split("\n")
    heads = [(i, head) for i, line in enumerate(lines) if (head := _head_of(line))]
    if len(heads) != 1:
        raise source.fault(f"{len(heads)} tables", "one table headed `Rank`, `FirstName LastName` ...")
    at, head = heads[0]
    numbered = enumerate(lines[:at], start=1)
    header = joined_lines([Line(Location(source.path, number), " ".join(line.split())) for number, line in numbered])
    faults = FirstFaults()
    rows = _rows(lines, at, head, source, faults)
    return read_page(header, rows, source, faults)


def _head_of(line: str) -> Head | None:
    return read_head(line.split("\t")) if "\t" in line else None


def _rows(lines: list[str], at: int, head: Head, source: Source, faults: Faults) -> list[PageRow]:
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

    return table_rows(lines, at, source, parse, looks_like_row, faults)
