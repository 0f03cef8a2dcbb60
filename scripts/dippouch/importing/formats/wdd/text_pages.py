"""The formats `wdd-text` and `wdd-tabs`: a World Diplomacy Database page as text.

In `wdd-text` cells of the table have no separators, nor do the fields above it (`Number of players88`, `Coeff 120.00` is `Coeff 1`
20.00):

    RankFirstName LastNameLoc.Nat.Score
    2Leif BERGMAN98.30                                 placement, name, percentile score

In `wdd-tabs`, copied out of a browser, tabs separate the cells. Flags are images and leave empty cells, so neither format has nations:

    Rank	FirstName LastName	Loc.	Nat.	Score
    2	Leif BERGMAN			98.30
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from dippouch.documents import Document, Source
from dippouch.errors import DocumentError, Faults, Location
from dippouch.importing.context import Context
from dippouch.importing.formats.wdd.columns import Head, read_head
from dippouch.importing.formats.wdd.fields import Line, PageRow, is_ranking, make_ranking, make_tournament
from dippouch.names import shortened

TEXT_FORMAT, TABS_FORMAT = "wdd-text", "wdd-tabs"

_TABLE_HEAD = re.compile(r"Rank\s*FirstName\s+LastName\s*(Loc\.\s*Nat\.|Nat\.\s*Loc\.)\s*Score", re.IGNORECASE)
_ONLY_ON_PAGES = re.compile("FirstName|Coeff 1|Last Update", re.IGNORECASE)
# A score must start at the first digit: otherwise the time would be quadratic in the number of digits.
# A director who played is listed without a number, and without a score.
_ROW = re.compile(r"(?P<number>[0-9]*)\s*(?P<name>[^0-9].*?)\s*(?P<score>(?<![0-9])[0-9]+\.[0-9]{2})?")

# Labels whose line continues the line above, and labels whose value may be on the next line.
_CONTINUES = ("Place", "Number of rounds", "Number of boards", "Coeff 2", "Coeff 3", "Last Update")
_LABELS = ("Date", "Number of players", "Coeff 1", "Author", *_CONTINUES)


@dataclass(frozen=True)
class Layout:
    """The layout of a text page's table.

    Attributes:
        head: returns the columns of a line; None if the line is not a head.
        cells: returns the cells of a line; too few or too many if the line is not a row.
        shown_head, shown_row: the expected forms of both, for messages.
    """

    head: Callable[[str], Head | None]
    cells: Callable[[str], Sequence[str]]
    shown_head: str
    shown_row: str

    def detect(self, text: str) -> bool:
        """Return whether a line of a text is the table's head, and the text has fields that only these pages have."""
        return bool(_ONLY_ON_PAGES.search(text)) and any(self.head(line) for line in text.split("\n"))

    def read(self, text: str, source: Source, _: Context) -> list[Document]:
        """Read the document of a page's text."""
        lines = [(Location(source.path, number), line) for number, line in enumerate(text.split("\n"), start=1)]
        heads = [(i, head) for i, (_, line) in enumerate(lines) if (head := self.head(line))]
        if len(heads) != 1:
            raise source.fault(f"{len(heads)} tables", f"one table headed {self.shown_head}")
        at, head = heads[0]
        texts = [(location, " ".join(line.split())) for location, line in lines[:at]]
        above = joined_lines([Line(location, line, is_heading=bool(line)) for location, line in texts])
        end = next((i for i in range(at + 1, len(lines)) if not lines[i][1].strip()), len(lines))
        faults = Faults()
        rows = faults.each(lines[at + 1 : end], lambda line: self._row(head, *line))
        for location, line in lines[end:]:
            with suppress(DocumentError):
                row = self._row(head, location, line)
                if row.number.isdigit() and row.score:
                    found = f"the row `{shortened(line)}` after the end of the table"
                    faults.add(DocumentError(location, found, "all rows in one table, without blank lines"))
        if end == at + 1:
            faults.add(DocumentError(lines[at][0], "a table without rows", "at least one row under the table's head"))
        with faults.gathered():
            document: Document = (
                make_ranking(above, rows, source) if is_ranking(above) else make_tournament(above, rows, source)
            )
        faults.raise_any()
        return [document]

    def _row(self, head: Head, location: Location, line: str) -> PageRow:
        cells = self.cells(line)
        name = head.text(cells, "name")
        if any(cells[head.width :]) or not name:
            raise DocumentError(location, f"`{shortened(line)}`", self.shown_row)
        return PageRow(location, head.text(cells, "rank"), name, head.text(cells, "score"))


def _joined_head(line: str) -> Head | None:
    return Head(("rank", "name", "score")) if "\t" not in line and _TABLE_HEAD.fullmatch(line.strip()) else None


def _joined_cells(line: str) -> Sequence[str]:
    # Several blanks equal one, but make the pattern slow.
    match = _ROW.fullmatch(" ".join(line.split()))
    return match.groups(default="") if match and bool(match["number"]) == bool(match["score"]) else ()


def _tabbed_head(line: str) -> Head | None:
    return read_head(line.split("\t")) if "\t" in line else None


TEXT = Layout(
    _joined_head,
    _joined_cells,
    "`RankFirstName LastName...Score`",
    "a row such as `8Emmanuel DU PONTAVICE90.00` (number, name, score at two decimals)",
)
TABS = Layout(
    _tabbed_head,
    lambda line: [cell.strip() for cell in line.split("\t")],
    "`Rank`, `FirstName LastName` ...",
    "a row of no more cells than the head, a tab between them, with a name",
)


def joined_lines(lines: Sequence[Line]) -> list[Line]:
    """Join lines so that fields that belong together (`Date ... Place ...`) are on one line, as on the page."""
    joined: list[Line] = []
    for line in lines:
        above = joined[-1] if joined else None
        text = line.text.replace(" :", ":")
        for label in _LABELS:
            text = text.replace(f"{label}:", label)
        if above and text and _belongs(text, above.text):
            joined[-1] = replace(above, text=f"{above.text} {text}")
        else:
            joined.append(replace(line, text=text))
    return joined


def _belongs(text: str, above: str) -> bool:
    """Return whether a line continues the fields of the line above: with the next field, or with a field's value."""
    continues = text.startswith(_CONTINUES) or (above.endswith(_LABELS) and not text.startswith(_LABELS))
    return continues and above.startswith(_LABELS)
