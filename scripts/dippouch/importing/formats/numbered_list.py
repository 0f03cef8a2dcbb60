"""The format `numbered-list`: the standings of one tournament as an e-mail lists them, facts above the list or on the command line.

Name: Club Cup
Date: 2012-05-12
24 players, 3 rounds

1. Anna Archer (FRA)
2= Ben Baker (ITA) 31.5
2= Cleo Cook
DNF Dan Dyer
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from dippouch.documents import Document, Source
from dippouch.errors import Location
from dippouch.importing.context import Context
from dippouch.importing.formats.cells import Record
from dippouch.importing.formats.facts import counts
from dippouch.importing.formats.standings import read_standings
from dippouch.importing.parsing.dates import parse_date_span
from dippouch.importing.parsing.numbers import meaning_of_no_placement

FORMAT = "numbered-list"

_HEAD = ["placement", "name", "nation_code", "points"]
_LEAST_ROWS = 2
_LONGEST_ROW = 200
_NUMBERED = re.compile(r"[> ]*(=?[0-9]{1,4}(?:st|nd|rd|th)?(?: ?=)?)(?: ?[.):] ?| - | )([^\W\d_][^;|\t]*)")
_WORD = re.compile(r"[> ]*([A-Za-z.]{2,12})[.:)]? (?:- )?([^\W\d_][^;|\t]*)")
# Behind the name, the nation and the points.
_NATION = re.compile(r" ?\(([^()]*)\)")
_POINTS = re.compile(r"[ ,:-]+([0-9]+(?:[.,][0-9]+)?)(?: ?(?:pts?|points)\.?)?$")


def _row(line: str) -> list[str] | None:
    """The cells of a line of the list; None for any other line."""
    line = " ".join(line[:_LONGEST_ROW].split())
    found = _NUMBERED.fullmatch(line)
    if found and (counts(line) or _is_date(line)):
        return None
    if found is None:
        found = _WORD.fullmatch(line)
        if found is None or meaning_of_no_placement(found[1]) is None:
            return None
    placement, name = found.groups()
    points = _POINTS.search(name)
    name = name[: points.start()] if points else name
    nation = _NATION.search(name)
    name = _NATION.sub("", name, count=1)
    return [placement.replace(" ", ""), name.strip(), nation[1] if nation else "", points[1] if points else ""]


def _is_date(line: str) -> bool:
    try:
        return bool(parse_date_span(line))
    except ValueError:
        return False


def _numbered(text: str) -> list[tuple[int, list[str] | None, str]]:
    """The lines of a text with their numbers, and the cells of those of the list."""
    return [(number, _row(line), line.strip()) for number, line in enumerate(text.split("\n"), start=1)]


def detect(text: str) -> bool:
    """Whether most lines from the first number on are those of a list."""
    lines = [row for _, row, line in _numbered(text) if line]
    first = next((i for i, row in enumerate(lines) if row and row[0].strip("=")[:1].isdigit()), len(lines))
    rows = [row for row in lines[first:] if row]
    return len(rows) >= _LEAST_ROWS and 2 * len(rows) > len(lines) - first


def read(text: str, source: Source, context: Context) -> Iterator[Document]:
    """The tournament that the text states; lines behind the list that are none of its rows are remarks."""
    lines = _numbered(text)
    first = next((i for i, (_, row, _) in enumerate(lines) if row and row[0].strip("=")[:1].isdigit()), len(lines))
    above = [Record(Location(source.path, number), [line]) for number, _, line in lines[:first]]
    at = Location(source.path, lines[min(first, len(lines) - 1)][0])
    rows = [
        Record(Location(source.path, number), row or ([f"# {line}"] if line else []))
        for number, row, line in lines[first:]
    ]
    columns = _HEAD if any(row and row[3] for _, row, _ in lines[first:]) else _HEAD[:3]
    cut = [Record(row.location, row.texts[: len(columns)]) for row in rows]
    yield from read_standings([*above, Record(at, list(columns)), *cut], source, context)
