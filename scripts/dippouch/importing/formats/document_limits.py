"""How much of a document is read: what no event needs is refused before it takes the time or the memory.

The limits follow what is read (results, rows, cells, lines, tags); at each of them a document takes seconds and less than 300 MB.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from dippouch.errors import DocumentError, Location
from dippouch.importing.formats.cells import Record

# The largest event of the World Diplomacy Database has a few hundred players; its rankings list a few thousand people.
MOST_RESULTS = 10_000

# Of a table or a workbook, with what is empty.
MOST_ROWS, MOST_CELLS = 20_000, 200_000
# What Excel takes.
LONGEST_CELL = 32_767

# Of a text, whatever its format.
LARGEST_TEXT, MOST_LINES = 5_000_000, 100_000
_MOST_TAGS = 200_000
# A parser compares each attribute with the others of its tag, and one of these characters stands before each: so many comparisons
# take two seconds.
_BEFORE_ATTRIBUTES = re.compile(r"[\s/\"']")
_MOST_COMPARED, _SHORT_TAG = 10**9, 500
# Words and attributes; each of the latter takes a quarter of a kilobyte.
_WORD = re.compile(r"[\s/\"'][^\s/\"'<>=]")
_MOST_WORDS = 600_000

MANY_EVENTS = "Many tournaments come in as tournaments.csv and results.csv (or .parquet), which have no limit."
_COPY = "Copy the table into a spreadsheet, and save it as CSV or .xlsx."


def check_number(found: int, most: int, what: str, location: Location, hint: str = MANY_EVENTS) -> None:
    """Check that a document does not state more of something than is read.

    Args:
        found: how many it states.
        most: how many are read.
        what: what it is, in the plural.
        location: the document, or where they stand in it.
        hint: what the rating keeper can do about it.

    Raises:
        DocumentError: when there are more.
    """
    if found > most:
        raise DocumentError(location, f"{found:,} {what}", f"at most {most:,}", hint)


def check_text(text: str, path: Path) -> None:
    """Check that a text has no more lines than are read.

    Raises:
        DocumentError: when it has more.
    """
    check_number(text.count("\n"), MOST_LINES, "lines", Location(path), _COPY)


def check_tags(text: str, path: Path) -> None:
    """Check that a page has no more tags than are read, and none of them more attributes.

    Raises:
        DocumentError: when it has more.
    """
    check_number(text.count("<"), _MOST_TAGS, "tags", Location(path), _COPY)
    check_number(sum(1 for _ in _WORD.finditer(text)), _MOST_WORDS, "words and attributes", Location(path), _COPY)
    compared = 0
    for piece in text.split("<"):
        if len(piece) > _SHORT_TAG:
            compared += len(_BEFORE_ATTRIBUTES.findall(piece)) ** 2
        if compared > _MOST_COMPARED:
            line = text[: text.index(piece)].count("\n") + 1
            found = "tags with tens of thousands of attributes"
            raise DocumentError(Location(path, line), found, "a page as the site shows it", _COPY)


class ReadSoFar:
    """The rows and cells of one document that were read."""

    def __init__(self) -> None:
        self._rows = 0
        self._cells = 0

    def counted(self, records: Iterable[Record]) -> Iterator[Record]:
        """The records, as long as they are not too many.

        Raises:
            DocumentError: at the record that is too many, or that has a cell which is too long.
        """
        for record in records:
            self._rows += 1
            self._cells += len(record.texts)
            if self._rows > MOST_ROWS or self._cells > MOST_CELLS:
                raise DocumentError(
                    record.location,
                    f"more than {MOST_ROWS:,} rows or {MOST_CELLS:,} cells, with the empty ones",
                    "the standings of one tournament",
                    f"Delete the empty rows and columns around the table, or copy it into a new file. {MANY_EVENTS}",
                )
            longest = max(map(len, record.texts), default=0)
            if longest > LONGEST_CELL:
                found = f"a cell of {longest:,} characters"
                raise DocumentError(record.location, found, f"at most {LONGEST_CELL:,}, as in Excel")
            yield record
