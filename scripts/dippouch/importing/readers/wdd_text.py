"""Reader of the form `wdd-text`: a World Diplomacy Database page as text, cells run together.

Under the fields that `readers.wdd_page` describes (`Number of players88`, `Coeff 120.00` is `Coeff 1` 20.00):

    RankFirstName LastNameLoc.Nat.Score
    2Leif BERGMAN98.30                                 placement, name, percentile score
"""

from __future__ import annotations

import re

from dippouch.errors import DocumentError
from dippouch.importing.documents import Document, Source
from dippouch.importing.names import shortened
from dippouch.importing.readers.wdd_page import (
    Line,
    PageRow,
    dated_at,
    is_author,
    is_ranking,
    make_ranking,
    make_tournament,
)

FORM = "wdd-text"

_TABLE_HEAD = re.compile(r"Rank\s*FirstName\s+LastName\s*(Loc\.\s*Nat\.|Nat\.\s*Loc\.)\s*Score", re.IGNORECASE)
# A director who played is listed without a number, and without a score.
_ROW = re.compile(r"(?P<number>[0-9]*)\s*(?P<name>[^0-9].*?)\s*(?P<score>[0-9]+\.[0-9]{2})?")


def recognises(text: str) -> bool:
    """Whether a text is of this form: it has the table's head, cells run together, on a line of its own."""
    return any("\t" not in line and _TABLE_HEAD.fullmatch(line) for line in map(str.strip, text.split("\n")))


def read(text: str, source: Source) -> list[Document]:
    """The document that the text of one page holds.

    Raises:
        DocumentError: at the first line that cannot be read, or for a header field that is not there.
    """
    # One blank is as good as many, except for the time that a pattern takes to find that out.
    lines = [" ".join(line.split()) for line in text.split("\n")]
    heads = [i for i, line in enumerate(lines) if _TABLE_HEAD.fullmatch(line)]
    if len(heads) != 1:
        raise DocumentError(
            source.path, None, f"{len(heads)} tables", "one table headed `RankFirstName LastName...Score`"
        )
    header = [Line(number, line) for number, line in enumerate(lines[: heads[0]], start=1)]
    rows = _rows(lines, heads[0], source)
    if is_ranking(header):
        return [make_ranking(header, rows, source)]
    return [make_tournament(header, title_above(header, dated_at(header, source)), rows, source)]


def title_above(header: list[Line], at: int) -> list[Line]:
    """The lines above a line, up to a blank one; the author of the ranking is no title."""
    while at > 0 and is_author(header[at - 1]):
        at -= 1
    start = at
    while start > 0 and header[start - 1].text:
        start -= 1
    return header[start:at]


def _rows(lines: list[str], head: int, source: Source) -> list[PageRow]:
    """The rows of the table: it ends at a blank line, and nothing that looks like a row may come after it."""
    rows = []
    index = head + 1
    while index < len(lines) and lines[index]:
        match = _ROW.fullmatch(lines[index])
        if not match or bool(match["number"]) != bool(match["score"]):
            raise DocumentError(
                source.path,
                index + 1,
                f"`{shortened(lines[index])}`",
                "a row such as `8Emmanuel DU PONTAVICE90.00` (number, name, score at two decimals)",
            )
        rows.append(PageRow(match["number"], match["name"], match["score"] or "", line=index + 1))
        index += 1
    for later, line in enumerate(lines[index:], start=index):
        match = _ROW.fullmatch(line)
        if match and match["number"] and match["score"]:
            raise DocumentError(
                source.path,
                later + 1,
                f"the row `{shortened(line)}` after the end of the table",
                "all rows in one table, without blank lines",
            )
    if not rows:
        raise DocumentError(source.path, head + 1, "a table without rows", "at least one row under the table's head")
    return rows
