"""What the readers of tables share: cells that know where they stand, columns by name, rows of players."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import NamedTuple, TypeVar

from openpyxl.utils import get_column_letter
from rapidfuzz import fuzz, process

from dippouch.errors import DocumentError
from dippouch.importing.documents import ListedPlayer, Result
from dippouch.importing.names import in_capitals, repair_text, shortened, split_full_name
from dippouch.importing.nations import nations
from dippouch.importing.placements import parse_placement

T = TypeVar("T")

# The columns of a table of results, and what else they are called.
RESULT_COLUMNS: Mapping[str, tuple[str, ...]] = {
    "placement": ("rank", "position", "pos", "ranking"),
    "first_name": ("firstname", "given_name"),
    "last_name": ("lastname", "surname", "family_name"),
    "name": ("full_name", "player", "player_name", "player_full_name"),
    "nation_code": ("nation", "nationality", "country", "nat"),
    "location_code": ("location", "loc"),
    "wdd_id": ("wdd_player_id", "id_player"),
    "published_score": ("percentile", "percentile_score"),
}

# How alike a strange heading must be to one that is missing, of 100, to be taken for a slip of the pen.
_SLIP = 85

_SCORE = re.compile(r"[0-9]{1,3}\.[0-9]{2}")
_DIGITS = re.compile(r"[0-9]{1,9}")


class Cell(NamedTuple):
    """A cell's text and where it stands.

    Attributes:
        line: line of the document, or row of the sheet, from 1; 0 for an option of the command line.
        place: the place in a document without lines, such as `cell B3`.
    """

    text: str
    line: int
    place: str = ""

    def fault(self, path: Path, found: str, expected: str, hint: str = "") -> DocumentError:
        """The error of a document with something wrong in this cell."""
        return DocumentError(path, self.line or None, found, expected, hint, place=self.place)

    def parsed(self, path: Path, label: str, parse: Callable[[str], T]) -> T:
        """What a parser makes of the text.

        Raises:
            DocumentError: for the parser's ValueError, whose message says what was expected.
        """
        try:
            return parse(self.text)
        except ValueError as error:
            raise self.fault(path, f"{label} `{shortened(self.text)}`", str(error)) from None


@dataclass(frozen=True)
class Record:
    """A row of a table: its line and its cells, stripped; `in_sheet` when cells have names such as B3."""

    line: int
    texts: list[str]
    in_sheet: bool = False

    def cell(self, index: int | None) -> Cell:
        """The cell in a column; an empty one in a column that there is not."""
        if index is None:
            return Cell("", self.line)
        place = f"cell {get_column_letter(index + 1)}{self.line}" if self.in_sheet else ""
        return Cell(self.texts[index] if index < len(self.texts) else "", self.line, place)

    @property
    def is_blank(self) -> bool:
        """Whether no cell has text."""
        return not any(self.texts)


@dataclass(frozen=True)
class Columns:
    """The columns of a table by the names that the readers know."""

    index: Mapping[str, int]
    width: int

    def cell(self, record: Record, name: str) -> Cell:
        """The cell of a record in a named column; an empty one when the table has no such column."""
        return record.cell(self.index.get(name))

    def check_width(self, record: Record, path: Path) -> None:
        """Check that a record has a cell for every column, and nothing beside them.

        Raises:
            DocumentError: when it has not.
        """
        # A sheet does not store the empty cells at the end of a row.
        if (len(record.texts) < self.width and not record.in_sheet) or any(record.texts[self.width :]):
            raise DocumentError(
                path,
                record.line,
                f"{len(record.texts)} cells",
                f"{self.width}, one for each heading",
                "A cell with the separator in it needs quotes around it.",
            )


def heading(text: str) -> str:
    """A heading without what varies: `First Name` is `first_name`."""
    return re.sub(r"[^a-z0-9]+", "_", text.lower()).strip("_")


def column_of(text: str, known: Mapping[str, tuple[str, ...]]) -> str | None:
    """The known name of a heading, or None."""
    name = heading(text)
    return next((column for column, others in known.items() if name == column or name in others), None)


def read_columns(record: Record, known: Mapping[str, tuple[str, ...]], path: Path) -> Columns:
    """The columns that a row of headings names. Headings that nobody knows are left aside.

    Raises:
        DocumentError: when a column is there twice, or a strange heading looks like a slip for one that is missing.
    """
    index: dict[str, int] = {}
    strange: list[Cell] = []
    for position, text in enumerate(record.texts):
        column = column_of(text, known)
        cell = record.cell(position)
        if column is None:
            strange += [cell] if text else []
        elif column in index:
            first = record.texts[index[column]]
            raise cell.fault(
                path, f"the heading `{shortened(text)}` after `{first}`", f"one column for `{column}`", "Remove one."
            )
        else:
            index[column] = position
    missing = [column for column in known if column not in index]
    for cell in strange:
        slip = process.extractOne(heading(cell.text)[:60], missing, scorer=fuzz.ratio, score_cutoff=_SLIP)
        if slip:
            raise cell.fault(path, f"the heading `{shortened(cell.text)}`", f"`{slip[0]}`")
    width = max((i + 1 for i, text in enumerate(record.texts) if text), default=0)
    return Columns(index, width)


def is_result_head(record: Record) -> bool:
    """Whether a row is the head of a table of results: it names placements and people."""
    found = {column_of(text, RESULT_COLUMNS) for text in record.texts}
    return "placement" in found and bool(found & {"name", "last_name"})


def read_result(record: Record, columns: Columns, path: Path, place: str = "") -> Result:
    """One row of a table of results.

    Args:
        record: the row.
        columns: the columns of the table.
        path: the file that it stands in.
        place: how messages about the document call the row, where it is not a line of the document itself.

    Raises:
        DocumentError: when a cell cannot be read.
    """
    columns.check_width(record, path)
    placement = columns.cell(record, "placement").parsed(path, "the placement", parse_placement)
    published = columns.cell(record, "published_score")
    if published.text and not _SCORE.fullmatch(published.text):
        raise published.fault(path, f"the score `{shortened(published.text)}`", "a percentile score such as `98.30`")
    return Result(_player(record, columns, path, place), placement, Decimal(published.text) if published.text else None)


def read_results(records: Iterable[Record], columns: Columns, path: Path) -> list[Result]:
    """The results under a table's head; blank rows are nothing."""
    return [read_result(record, columns, path) for record in records if not record.is_blank]


def _player(record: Record, columns: Columns, path: Path, place: str) -> ListedPlayer:
    last, full = columns.cell(record, "last_name"), columns.cell(record, "name")
    if last.text:
        first = columns.cell(record, "first_name")
        listed_name = f"{first.text} {last.text}".strip()
        first_name, last_name = repair_text(first.text), in_capitals(repair_text(last.text))
        named = last
    else:
        named = full if "name" in columns.index else last
        if not named.text:
            raise named.fault(path, "no name", "a name in every row of the table")
        listed_name = full.text
        first_name, last_name = full.parsed(path, "the name", _full_name)
    wdd_id = columns.cell(record, "wdd_id")
    if wdd_id.text and not _DIGITS.fullmatch(wdd_id.text):
        raise wdd_id.fault(path, f"the id `{shortened(wdd_id.text)}`", "a number, such as `1073`")
    return ListedPlayer(
        listed_name,
        first_name,
        last_name,
        line=record.line,
        nation_code=columns.cell(record, "nation_code").parsed(path, "the nation", nations().of_text),
        location_code=columns.cell(record, "location_code").parsed(path, "the location", nations().of_text),
        source_player_id=f"wdd:{wdd_id.text}" if wdd_id.text else None,
        place=named.place or place,
    )


def _full_name(text: str) -> tuple[str, str]:
    try:
        return split_full_name(text)
    except ValueError as error:
        raise ValueError(f"a name such as `Edi BIRSAN` or `Birsan, Edi`, not {error}") from None


def parse_decimal(text: str) -> Decimal:
    """A number at two decimals, such as a printed coefficient.

    Raises:
        ValueError: when it is none; the message says what was expected.
    """
    try:
        number = Decimal(text)
    except InvalidOperation:
        number = Decimal("NaN")
    if not number.is_finite() or not re.fullmatch(r"[0-9]{1,4}(\.[0-9]{1,2})?", text):
        raise ValueError("a number such as `14.86`")
    return number
