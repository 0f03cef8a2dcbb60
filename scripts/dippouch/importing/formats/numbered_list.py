"""The format `numbered-list`: the standings of one tournament as an e-mail lists them, facts above the list or on the command line.

Name: Club Cup
Date: 2012-05-12
24 players, 3 rounds

1. Anna Archer (FRA)
2= Ben Baker (ITA) 31.5
2= Cleo Cook
4/5. Fay Fox
DNF Dan Dyer
- Eva East
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from dippouch.documents import Document, Source
from dippouch.errors import DocumentError, Faults, Location
from dippouch.importing.context import Context
from dippouch.importing.formats.cells import Record, listed
from dippouch.importing.formats.facts import counts, is_fact
from dippouch.importing.formats.standings import read_standings
from dippouch.importing.parsing.dates import is_date
from dippouch.importing.parsing.numbers import meaning_of_no_placement
from dippouch.names import shortened

FORMAT = "numbered-list"

_HEAD = ["placement", "name", "nation_code", "points"]
# A list of one row, or without a winner, needs at least this many lines of facts above it.
_LEAST_ROWS, _LEAST_FACTS = 2, 2
_LONGEST_ROW = 200
# Without a full stop or the like, only a capital letter distinguishes a row (`4 Dan Dyer`) from a sentence (`5 of them were new`).
_TIED = "(?:=|[Tt]-?|[Jj]oint )?"
_NUMBER = rf"{_TIED}[0-9]{{1,4}}(?:st|nd|rd|th)?(?:\.?[-–/][0-9]{{1,4}})?(?: ?=|T| ex aequo| \(?joint\)?)?"
_NUMBERED = re.compile(rf"\(?({_NUMBER})(?: ?[.):]+ ?| - | (?![a-z]))(?:- )?([^\W\d_][^;|\t]*)")
_FIRST = re.compile(rf"{_TIED}0*1(?![0-9])")
_WORD = re.compile(r"([A-Za-z.]{2,12})[.:)]? (?:- )?([^\W\d_][^;|\t]*)")
# In other places a dash begins a signature.
_DASH_UNDER_ROW = re.compile(r"([-–—]) ?([^\W\d_][^;|\t]*)")
# Below the list, a number or a mark of a tie before a capital letter, or a nation's code at the end, distinguishes a player from text.
_LIKE_ROW = re.compile(r"""(?:[(]?[0-9]{1,4}\W+|[="] ?)[A-Z].*|.*\([A-Za-z]{2,3}\)""")
# After the name: the nation and the points.
_NATION = re.compile(r" ?\(([^()]*)\)")
_POINTS = re.compile(r"[ ,:-]+([0-9]+(?:[.,][0-9]+)?)(?: ?(?:pts?|points)\.?)?$")

# A line with its number, its text, and its cells if it is a row of the list.
_Line = tuple[int, str, list[str] | None]


def _row(line: str, *, is_under_row: bool) -> list[str] | None:
    """Return the cells of a line of the list; None for any other line."""
    line = " ".join(line[:_LONGEST_ROW].split())
    found = _NUMBERED.fullmatch(line)
    if found and (counts(line) or is_date(line)):
        return None
    if found is None:
        found = _WORD.fullmatch(line) or (_DASH_UNDER_ROW.fullmatch(line) if is_under_row else None)
        if found is None or meaning_of_no_placement(found[1]) is None:
            return None
    placement, name = found.groups()
    points = _POINTS.search(name)
    name = name[: points.start()] if points else name
    nation = _NATION.search(name)
    name = _NATION.sub("", name, count=1)
    return [placement, name.strip(), nation[1] if nation else "", points[1] if points else ""]


def _split(text: str) -> tuple[list[_Line], list[_Line]]:
    """Split the lines into those above the list, and those from its first row on."""
    lines: list[_Line] = []
    for number, raw in enumerate(text.split("\n"), start=1):
        # A `>` marks a quoted line.
        line = raw.strip().lstrip("> ")
        is_under_row = bool(lines and lines[-1][2])
        lines.append((number, line, _row(line, is_under_row=is_under_row)))
    under_facts = next((i for i in range(len(lines), 0, -1) if is_fact(lines[i - 1][1])), 0)
    starts = (_first_row(lines, above) for above in (under_facts, 0))
    start = next((start for start in starts if start is not None), len(lines))
    return lines[:start], lines[start:]


def _first_row(lines: list[_Line], above: int) -> int | None:
    """Return the index of a winner's row; without one, of the first of two successive rows; else of the only row."""
    rows = {i: row for i, (_, _, row) in enumerate(lines) if row and i >= above}
    winners = (i for i, row in rows.items() if _FIRST.match(row[0]))
    return next((i for found in (winners, (i for i in rows if i + 1 in rows), rows) for i in found), None)


def detect(text: str) -> bool:
    """Return whether most lines from a winner to the last row are rows of a list; with facts above, one row suffices."""
    above, listed_lines = _split(text)
    rows = [row for _, line, row in listed_lines if line]
    while rows and rows[-1] is None:
        rows.pop()
    has_facts = sum(is_fact(line) for _, line, _ in above) >= _LEAST_FACTS
    is_list = len(rows) >= _LEAST_ROWS and rows[0] is not None and _FIRST.match(rows[0][0])
    return bool(rows and (is_list or has_facts) and 2 * rows.count(None) < len(rows))


def read(text: str, source: Source, context: Context) -> Iterator[Document]:
    """Read the tournament of the text; lines below the list become remarks, unless they look like rows.

    Raises:
        DocumentError: when a line between the rows is none, or one below them looks like one.
    """
    faults = Faults()
    above, listed_lines = _split(text)
    columns = _HEAD if any(row and row[3] for _, _, row in listed_lines) else _HEAD[:3]
    records = [Record(Location(source.path, number), [line]) for number, line, _ in above]
    records.append(Record(Location(source.path, len(above) + 1), columns))
    records += [Record(Location(source.path, number), row[: len(columns)]) for number, _, row in listed_lines if row]
    aside = [f"`{shortened(line)}` (line {number})" for number, line, row in listed_lines if line and not row]
    remarks = [f"lines below the first row left aside: {listed(aside)}"] if aside else []
    for number, line in _unread(listed_lines):
        faults.add(
            DocumentError(
                Location(source.path, number),
                f"the line `{shortened(line)}` in the list",
                "a row such as `4. Dan Dyer (GBR)`",
                "Delete the line, or begin it with `#`, if it is not a player.",
            )
        )
    with faults.gathered():
        for document in read_standings(records, source, context):
            is_partial = document.is_partial or bool(faults)
            yield replace(document, remarks=(*document.remarks, *remarks), is_partial=is_partial)
    faults.raise_any()


def _unread(lines: list[_Line]) -> Iterator[tuple[int, str]]:
    """Yield the lines between rows that are none, and those below that look like rows."""
    last = max((i for i, (*_, row) in enumerate(lines) if row), default=-1)
    for i, (number, line, row) in enumerate(lines):
        is_remark = not line or line.startswith("#") or counts(line) or is_date(line)
        if not row and not is_remark and (i < last or _LIKE_ROW.fullmatch(line)):
            yield number, line
