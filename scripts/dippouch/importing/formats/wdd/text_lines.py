"""A World Diplomacy Database page as lines of text: the fields above the table, the title, and the rows of the table."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from dippouch.documents import Document, Source
from dippouch.errors import DocumentError, Faults, Location
from dippouch.importing.formats.gathering import read_all
from dippouch.importing.formats.wdd.fields import Line, PageRow, is_author, is_ranking, make_ranking, make_tournament
from dippouch.names import shortened

# A label whose line belongs to the line above it, and one whose value may stand on the line below.
_CONTINUES = ("Place", "Number of rounds", "Number of boards", "Coeff 2", "Coeff 3", "Last Update")
_LABELS = ("Date", "Number of players", "Coeff 1", "Author", *_CONTINUES)

# No label with its value is as long. What grew on line by line would be copied as often.
_LONGEST_JOINED = 2_000


def joined_lines(lines: Sequence[Line]) -> list[Line]:
    """Lines such that what belongs together (`Date ... Place ...`) is on one, as the page shows it."""
    joined: list[Line] = []
    for line in lines:
        above = joined[-1] if joined else None
        text = line.text.replace(" :", ":")
        for label in _LABELS:
            text = text.replace(f"{label}:", label)
        if (
            above
            and len(above.text) < _LONGEST_JOINED
            and above.text.startswith(_LABELS)
            and text
            and _belongs(text, above.text)
        ):
            joined[-1] = Line(above.location, f"{above.text} {text}")
        else:
            joined.append(Line(line.location, text))
    return joined


def title_above(header: list[Line], at: int) -> list[Line]:
    """The lines above a line, up to a blank one; the author of the ranking is no title."""
    while at > 0 and is_author(header[at - 1]):
        at -= 1
    start = at
    while start > 0 and header[start - 1].text:
        start -= 1
    return header[start:at]


def table_rows(
    lines: list[str],
    head: int,
    source: Source,
    parse: Callable[[str, Location], PageRow],
    looks_like_row: Callable[[str], bool],
    faults: Faults,
) -> list[PageRow]:
    """The rows under a table's head: the table ends at a blank line, and nothing that looks like a row comes after it.

    Args:
        lines: all lines of the page.
        head: the index of the head among them.
        source: the page.
        parse: reads a row of the table.
        looks_like_row: whether a line may be a row that strayed from the table.
        faults: gathers the rows that cannot be read or that strayed, and that there is none.
    """
    end = next((i for i in range(head + 1, len(lines)) if not lines[i].strip()), len(lines))
    rows = read_all(range(head + 1, end), lambda i: parse(lines[i], Location(source.path, i + 1)), faults)
    for number, line in enumerate(lines[end:], start=end + 1):
        with faults.gathered():
            if looks_like_row(line):
                raise DocumentError(
                    Location(source.path, number),
                    f"the row `{shortened(line)}` after the end of the table",
                    "all rows in one table, without blank lines",
                )
    with faults.gathered():
        if end == head + 1:
            location = Location(source.path, head + 1)
            raise DocumentError(location, "a table without rows", "at least one row under the table's head")
    return rows


def read_page(header: list[Line], rows: list[PageRow], source: Source, faults: Faults) -> list[Document]:
    """The document that the lines above a table and its rows make.

    Args:
        header: the lines above the table.
        rows: the rows that could be read.
        source: the page.
        faults: what is wrong with the others.

    Raises:
        DocumentError: for everything that is wrong with the page.
    """
    with faults.gathered():
        document: Document = (
            make_ranking(header, rows, source)
            if is_ranking(header)
            else make_tournament(header, lambda at: title_above(header, at), rows, source)
        )
    faults.raise_any()
    return [document]


def _belongs(text: str, above: str) -> bool:
    """Whether a line continues the fields of the line above it: with the next field, or with a field's value."""
    return text.startswith(_CONTINUES) or (above.endswith(_LABELS) and not text.startswith(_LABELS))
