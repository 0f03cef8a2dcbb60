"""The format `wdd-text`: a World Diplomacy Database page as text, cells run together.

Under the fields that `wdd.fields` describes (`Number of players88`, `Coeff 120.00` is `Coeff 1` 20.00):

    RankFirstName LastNameLoc.Nat.Score
    2Leif BERGMAN98.30                                 placement, name, percentile score
"""

from __future__ import annotations

import re

from dippouch.documents import Document, Source
from dippouch.errors import DocumentError, Faults, Location
from dippouch.importing.formats.gathering import FirstFaults
from dippouch.importing.formats.wdd.fields import Line, PageRow
from dippouch.importing.formats.wdd.text_lines import read_page, table_rows
from dippouch.names import shortened

FORMAT = "wdd-text"

_TABLE_HEAD = re.compile(r"Rank\s*FirstName\s+LastName\s*(Loc\.\s*Nat\.|Nat\.\s*Loc\.)\s*Score", re.IGNORECASE)
# A score is looked for only where digits begin: otherwise the time would grow with the square of many digits.
# A director who played is listed without a number, and without a score.
_ROW = re.compile(r"(?P<number>[0-9]*)\s*(?P<name>[^0-9].*?)\s*(?P<score>(?<![0-9])[0-9]+\.[0-9]{2})?")


def detect(text: str) -> bool:
    """Whether a text is of this format: it has the table's head, cells run together, on a line of its own."""
    return any("\t" not in line and _TABLE_HEAD.fullmatch(line) for line in map(str.strip, text.split("\n")))


def read(text: str, source: Source) -> list[Document]:
    """The document that the text of one page holds.

    Raises:
        DocumentError: for the lines that cannot be read, and for the header fields that are not there.
    """
    # One blank is as good as many, except for the time that a pattern takes to find that out.
    lines = [" ".join(line.split()) for line in text.split("\n")]
    heads = [i for i, line in enumerate(lines) if _TABLE_HEAD.fullmatch(line)]
    if len(heads) != 1:
        raise source.fault(f"{len(heads)} tables", "one table headed `RankFirstName LastName...Score`")
    header = [Line(Location(source.path, number), line) for number, line in enumerate(lines[: heads[0]], start=1)]
    faults = FirstFaults()
    rows = _rows(lines, heads[0], source, faults)
    return read_page(header, rows, source, faults)


def _rows(lines: list[str], head: int, source: Source, faults: Faults) -> list[PageRow]:
    def parse(line: str, location: Location) -> PageRow:
        match = _ROW.fullmatch(line)
        if not match or bool(match["number"]) != bool(match["score"]):
            expected = "a row such as `8Emmanuel DU PONTAVICE90.00` (number, name, score at two decimals)"
            raise DocumentError(location, f"`{shortened(line)}`", expected)
        return PageRow(location, match["number"], match["name"], match["score"] or "")

    def looks_like_row(line: str) -> bool:
        match = _ROW.fullmatch(line)
        return bool(match and match["number"] and match["score"])

    return table_rows(lines, head, source, parse, looks_like_row, faults)
