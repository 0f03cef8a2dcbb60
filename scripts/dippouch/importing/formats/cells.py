"""What the formats with tables share: cells that know where they stand, columns by name, rows of players."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import NamedTuple, TypeVar

from openpyxl.utils import get_column_letter
from rapidfuzz import fuzz, process

from dippouch.documents import ListedPlayer, Result
from dippouch.errors import DocumentError, Location
from dippouch.importing.parsing.nations import nations
from dippouch.importing.parsing.numbers import SCORE, parse_placement
from dippouch.names import in_capitals, repair_text, shortened, split_full_name

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

_DIGITS = re.compile(r"[0-9]{1,9}")


class Cell(NamedTuple):
    """A cell's text and where it stands."""

    text: str
    location: Location

    def fault(self, found: str, expected: str, hint: str = "") -> DocumentError:
        """The error of a document with something wrong in this cell."""
        return DocumentError(self.location, found, expected, hint)

    def parsed(self, label: str, parse: Callable[[str], T]) -> T:
        """What a parser makes of the text.

        Raises:
            DocumentError: for the parser's ValueError, whose message says what was expected.
        """
        try:
            return parse(self.text)
        except ValueError as error:
            raise self.fault(f"{label} `{shortened(self.text)}`", str(error)) from None


@dataclass(frozen=True)
class Record:
    """A row of a table: its location and its cells, stripped; `in_sheet` when cells have names such as B3."""

    location: Location
    texts: list[str]
    in_sheet: bool = False

    def cell(self, index: int | None) -> Cell:
        """The cell in a column; an empty one in a column that there is not."""
        if index is None:
            return Cell("", self.location)
        text = self.texts[index] if index < len(self.texts) else ""
        if not self.in_sheet:
            return Cell(text, self.location)
        place = f"cell {get_column_letter(index + 1)}{self.location.line}"
        return Cell(text, self.location._replace(place=place))

    @property
    def is_blank(self) -> bool:
        """Whether no cell has text."""
        return not any(self.texts)


@dataclass(frozen=True)
class Columns:
    """The columns of a table by the names that this project knows."""

    index: Mapping[str, int]
    width: int

    def cell(self, record: Record, name: str) -> Cell:
        """The cell of a record in a named column; an empty one when the table has no such column."""
        return record.cell(self.index.get(name))

    def check_width(self, record: Record) -> None:
        """Check that a record has a cell for every column, and nothing beside them.

        Raises:
            DocumentError: when it has not.
        """
        # A sheet does not store the empty cells at the end of a row.
        if (len(record.texts) < self.width and not record.in_sheet) or any(record.texts[self.width :]):
            raise DocumentError(
                record.location,
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


def read_columns(record: Record, known: Mapping[str, tuple[str, ...]]) -> Columns:
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
                f"the heading `{shortened(text)}` after `{first}`", f"one column for `{column}`", "Remove one."
            )
        else:
            index[column] = position
    missing = [column for column in known if column not in index]
    for cell in strange:
        slip = process.extractOne(heading(cell.text)[:60], missing, scorer=fuzz.ratio, score_cutoff=_SLIP)
        if slip:
            raise cell.fault(f"the heading `{shortened(cell.text)}`", f"`{slip[0]}`")
    width = max((i + 1 for i, text in enumerate(record.texts) if text), default=0)
    return Columns(index, width)


def is_result_head(texts: Iterable[str]) -> bool:
    """Whether the cells of a row are the head of a table of results: they name placements and people."""
    found = {column_of(text, RESULT_COLUMNS) for text in texts}
    return "placement" in found and bool(found & {"name", "last_name"})


def read_result(record: Record, columns: Columns, document_location: Location | None = None) -> Result:
    """One row of a table of results.

    Args:
        record: the row.
        columns: the columns of the table.
        document_location: where the row stands as seen from the document, when it is in another file.

    Raises:
        DocumentError: when a cell cannot be read.
    """
    columns.check_width(record)
    placement = columns.cell(record, "placement").parsed("the placement", parse_placement)
    published = columns.cell(record, "published_score")
    if published.text and not SCORE.fullmatch(published.text):
        raise published.fault(f"the score `{shortened(published.text)}`", "a percentile score such as `98.30`")
    player = _player(record, columns, document_location)
    return Result(player, placement, Decimal(published.text) if published.text else None)


def read_results(records: Iterable[Record], columns: Columns) -> list[Result]:
    """The results under a table's head; blank rows are skipped."""
    return [read_result(record, columns) for record in records if not record.is_blank]


def _player(record: Record, columns: Columns, document_location: Location | None) -> ListedPlayer:
    last, full = columns.cell(record, "last_name"), columns.cell(record, "name")
    if last.text:
        first = columns.cell(record, "first_name")
        listed_name = f"{first.text} {last.text}".strip()
        first_name, last_name = repair_text(first.text), in_capitals(repair_text(last.text))
        named = last
    else:
        named = full if "name" in columns.index else last
        if not named.text:
            raise named.fault("no name", "a name in every row of the table")
        listed_name = full.text
        first_name, last_name = full.parsed("the name", _full_name)
    wdd_id = columns.cell(record, "wdd_id")
    if wdd_id.text and not _DIGITS.fullmatch(wdd_id.text):
        raise wdd_id.fault(f"the id `{shortened(wdd_id.text)}`", "a number, such as `1073`")
    return ListedPlayer(
        listed_name,
        first_name,
        last_name,
        document_location or named.location,
        nation_code=columns.cell(record, "nation_code").parsed("the nation", nations().of_text),
        location_code=columns.cell(record, "location_code").parsed("the location", nations().of_text),
        source_player_id=f"wdd:{wdd_id.text}" if wdd_id.text else None,
    )


def _full_name(text: str) -> tuple[str, str]:
    try:
        return split_full_name(text)
    except ValueError as error:
        raise ValueError(f"a name such as `Edi BIRSAN` or `Birsan, Edi`, not {error}") from None
