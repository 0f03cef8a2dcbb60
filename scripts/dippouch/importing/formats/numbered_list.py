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
# Without a full stop or its like only a capital letter tells a row (`4 Dan Dyer`) from a sentence (`5 of them were new`).
_NUMBERED = re.compile(r"[> ]*(=?[0-9]{1,4}(?:st|nd|rd|th)?(?: ?=)?)(?: ?[.):] ?| - | (?![a-z]))([^\W\d_][^;|\t]*)")
_FIRST = re.compile("=?0*1(?![0-9])")
_WORD = re.compile(r"[> ]*([A-Za-z.]{2,12})[.:)]? (?:- )?([^\W\d_][^;|\t]*)")
# Behind the name, the nation and the points.
_NATION = re.compile(r" ?\(([^()]*)\)")
_POINTS = re.compile(r"[ ,:-]+([0-9]+(?:[.,][0-9]+)?)(?: ?(?:pts?|points)\.?)?$")

# A line with its number, its text, and its cells when it is a row of the list.
_Line = tuple[int, str, list[str] | None]


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


def _split(text: str) -> tuple[list[_Line], list[_Line]]:
    """The lines above a list, and those from its winner on."""
    lines = [(number, line.strip(), _row(line)) for number, line in enumerate(text.split("\n"), start=1)]
    winner = next((i for i, (_, _, row) in enumerate(lines) if row and _FIRST.match(row[0])), len(lines))
    return lines[:winner], lines[winner:]


def detect(text: str) -> bool:
    """Whether most lines from a winner on are those of a list."""
    rows = [row for _, line, row in _split(text)[1] if line]
    return len(rows) >= _LEAST_ROWS and 2 * rows.count(None) < len(rows)


def read(text: str, source: Source, context: Context) -> Iterator[Document]:
    """The tournament that the text states; lines behind the list that are none of its rows are remarks."""
    above, listed = _split(text)
    columns = _HEAD if any(row and row[3] for _, _, row in listed) else _HEAD[:3]
    records = [Record(Location(source.path, number), [line]) for number, line, _ in above]
    records.append(Record(Location(source.path, len(above) + 1), columns))
    for number, line, row in listed:
        remark = [f"# {line}"] if line else []
        records.append(Record(Location(source.path, number), row[: len(columns)] if row else remark))
    yield from read_standings(records, source, context)
