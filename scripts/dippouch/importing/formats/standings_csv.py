"""The format `csv`: the standings of one tournament, facts above the table or on the command line.

    name: WAC 6 2009
    date: January 23-25, 2009
    players: 45
    rounds: 4

    placement,first_name,last_name,nation_code
    1,Adam,SIGAL,USA

Commas, semicolons, tabs and bars separate cells; which of them is found out by what makes a head of the table.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path

from dippouch.documents import Document, Source
from dippouch.errors import DocumentError, Location
from dippouch.importing.context import Context
from dippouch.importing.formats.cells import Record
from dippouch.importing.formats.headings import is_result_head, near_head
from dippouch.importing.formats.standings import HEAD_WITHIN, MOST_ROWS, read_standings

FORMAT = "csv"

SEPARATORS = ",;\t|"

# Maximum number of characters of a line to search for a likely head.
_LONGEST_HEAD = 2000


def records_of(lines: Iterable[str], separator: str, path: Path) -> Iterator[Record]:
    """Yield the records of a CSV text, cells stripped."""
    reader = csv.reader(lines, delimiter=separator, strict=True, skipinitialspace=True)
    line = 1
    try:
        for texts in reader:
            yield Record(Location(path, line), [text.strip() for text in texts])
            line = reader.line_num + 1
    except csv.Error as error:
        raise DocumentError(
            Location(path, line),
            f"a line that is not CSV ({error})",
            "cells with quotes that match",
            'Double a quote in a cell: "".',
        ) from None


def find_separator(content: str) -> str | None:
    """Return the separator that gives the head of a table of results, or a likely head; None if none does."""
    for separator in SEPARATORS:
        # Quotes are irrelevant to find a head, but not to read the table.
        for line in content.split("\n"):
            if line.count(separator) and is_result_head(text.strip(' "') for text in line.split(separator)):
                return separator
    lines = [line[:_LONGEST_HEAD] for line in content.split("\n", HEAD_WITHIN)[:HEAD_WITHIN]]
    for separator in SEPARATORS:
        cells = ([text.strip(' "') for text in line.split(separator)] for line in lines if separator in line)
        if near_head(Record(Location(Path()), texts) for texts in cells):
            return separator
    return None


def detect(text: str) -> bool:
    """Return whether a text has the head of a table of results, or a likely head."""
    return find_separator(text) is not None


def read(text: str, source: Source, context: Context) -> Iterator[Document]:
    """Read the tournament of the text."""
    separator = find_separator(text) or SEPARATORS[0]
    records = list(islice(records_of(io.StringIO(text), separator, source.path), MOST_ROWS + 1))
    yield from read_standings(records, source, context)
