"""The rows of a page's table of results. Anything else that looks like a result is refused, so that no row is lost silently."""

from __future__ import annotations

import re
from collections.abc import Iterator

from selectolax.lexbor import LexborHTMLParser, LexborNode

from dippouch.documents import Source
from dippouch.errors import DocumentError, Faults, Location
from dippouch.importing.formats.wdd.columns import Head
from dippouch.importing.formats.wdd.markup import (
    TableRow,
    cells_of,
    is_inside,
    lines_outside,
    linked_id,
    table_of,
    text_of,
)
from dippouch.names import LONGEST_NAME, shortened, split_listed_name

# A placement, on a player's page with the number of players.
_PLACEMENT = re.compile(r"[=T]?[0-9]{1,4}(?:st|nd|rd|th|[.=])?(?:\s*/.*)?", re.IGNORECASE)
# A row without separators between cells: number, name, score.
_LINE_OF_RESULT = re.compile(r"([0-9]{1,4})\s*([^\W\d].*?)\s*((?<![0-9])[0-9]{1,3}\.[0-9]{2})")

_LONGEST_LINE = 200

_ONE_TABLE = "every result in a row of the same table, marked like the others"
_MEND = 'Give its row the class of the other rows (`class="row_odd"`) in their table, or delete it.'


def data_rows(
    text: str, tree: LexborHTMLParser, rows: list[LexborNode], head_at: int, head: Head, source: Source
) -> list[TableRow]:
    """Return the rows of data under the head, of its own table. A row that holds several, because tags are missing, is split."""
    table = table_of(rows[head_at])
    # A nested table that is never closed contains all following rows.
    is_open = text.lower().count("<table") > text.lower().count("</table")
    own = [row for row in rows[head_at + 1 :] if _is_of(table_of(row), table, is_open=is_open)]
    taken = [row for row in own if _is_marked(row)] or own
    faults = Faults()
    for found in _untaken(tree, table, rows, head_at, taken, head):
        said = f"`{shortened(' '.join(found))}` beside the rows of the table"
        faults.add(DocumentError(Location(source.path, _line_of(found, text)), said, _ONE_TABLE, _MEND))
    faults.raise_any()
    return [
        TableRow(cells, Location(source.path, place=f"row {number} of the table"))
        for number, cells in enumerate((cells for row in taken for cells in _split(row, head)), start=1)
    ]


def _is_of(own: LexborNode | None, table: LexborNode | None, *, is_open: bool) -> bool:
    """Return whether a row's table is the given one, or inside it if `is_open`."""
    return _is_same(own, table) or bool(is_open and own and table and is_inside(own, table))


def _untaken(
    tree: LexborHTMLParser,
    table: LexborNode | None,
    rows: list[LexborNode],
    head_at: int,
    taken: list[LexborNode],
    head: Head,
) -> Iterator[list[str]]:
    """Yield the texts of everything that looks like a result, and is not a row of data of the table."""
    of_data = {row.mem_id for row in taken}
    for at, row in enumerate(rows):
        is_own = _is_same(table_of(row), table)
        if at == head_at or row.mem_id in of_data or not (is_own or at > head_at or _is_marked(row)):
            continue
        texts = [text_of(cell) for cell in cells_of(row)]
        if _is_like_result(row, texts, head, is_own=is_own):
            yield [text for text in texts if text]
    for line in lines_outside(tree, table) if table else ():
        # A title is not a result, even if it begins with a number.
        if len(line.text) <= _LONGEST_LINE and (result := _LINE_OF_RESULT.fullmatch(line.text)):
            yield list(result.groups())


def _is_like_result(row: LexborNode, texts: list[str], head: Head, *, is_own: bool) -> bool:
    """Return whether a row may be a result: a placement beside a name or a link to a person or tournament of the table.

    Args:
        row: the row.
        texts: the texts of its cells.
        head: the columns of the table of results.
        is_own: whether the row belongs to that table; then a link suffices, because directors are listed without a placement.
    """
    link = "id_tournament" if "tournament" in head.names else "id_player"
    is_linked = any(linked_id(cell, link) for cell in cells_of(row))
    is_placed = any(_PLACEMENT.fullmatch(text) for text in texts)
    return (is_linked and (is_placed or is_own)) or (is_placed and any(map(_is_name, texts)))


def _is_name(text: str) -> bool:
    """Return whether a text is a name in the site's form, first and last name."""
    try:
        return len(text) <= LONGEST_NAME and bool(split_listed_name(text)[0])
    except ValueError:
        return False


def _is_marked(row: LexborNode) -> bool:
    return (row.attributes.get("class") or "").startswith("row_")


def _is_same(node: LexborNode | None, other: LexborNode | None) -> bool:
    return node is not None and other is not None and node.mem_id == other.mem_id


def _line_of(texts: list[str], page: str) -> int | None:
    """Return the line of a page with the longest of some texts, if only one line has it."""
    longest = max(texts, key=len)
    return page[: page.index(longest)].count("\n") + 1 if page.count(longest) == 1 else None


def _split(row: LexborNode, head: Head) -> list[list[LexborNode]]:
    """Return the cells of each row of data in a table row: broken markup may join several."""
    cells = cells_of(row)
    subjects = [cell for cell in cells if any(linked_id(cell, p) for p in ("id_player", "id_tournament"))]
    several = len(cells) % head.width == 0 or (head.names[0] == "rank" and len(subjects) > 1)
    width = head.width if several else len(cells)
    return [cells[i : i + width] for i in range(0, len(cells), width)] if cells else []
