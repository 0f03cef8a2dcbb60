"""Cells of tables with their places."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

from dippouch.errors import DocumentError, Location
from dippouch.names import shortened

T = TypeVar("T")

AS_REMARK = "Delete the row, or begin it with `#` when it is a remark."


class Cell(NamedTuple):
    """A cell's text and place."""

    text: str
    location: Location

    def fault(self, found: str, expected: str, hint: str = "") -> DocumentError:
        """Return the error for a fault in this cell."""
        return DocumentError(self.location, found, expected, hint)

    def parsed(self, label: str, parse: Callable[[str], T]) -> T:
        """Parse the text; raise a parser's error as a fault of this cell."""
        try:
            return parse(self.text)
        except ValueError as error:
            raise self.fault(f"{label} `{shortened(self.text)}`", str(error)) from None


@dataclass(frozen=True)
class Record:
    """A row of a table: its place and its cells, stripped; `in_sheet` for cells with names such as B3."""

    location: Location
    texts: list[str]
    in_sheet: bool = False

    def cell(self, index: int | None) -> Cell:
        """Return the cell in a column; an empty one if the row has no such column."""
        if index is None:
            return Cell("", self.location)
        text = self.texts[index] if index < len(self.texts) else ""
        if not self.in_sheet:
            return Cell(text, self.location)
        from openpyxl.utils import get_column_letter

        place = f"cell {get_column_letter(index + 1)}{self.location.line}"
        return Cell(text, self.location._replace(place=place))

    @property
    def filled(self) -> list[Cell]:
        """Return the cells with text."""
        return [self.cell(i) for i, text in enumerate(self.texts) if text]

    @property
    def is_blank(self) -> bool:
        """Return whether no cell has text."""
        return not any(self.texts)

    @property
    def is_remark(self) -> bool:
        """Return whether the row begins with `#`, but not with a spreadsheet's error value."""
        first = next((text for text in self.texts if text), "")
        if not first.startswith("#"):
            return False
        from openpyxl.cell.cell import ERROR_CODES

        return first not in ERROR_CODES


def listed(texts: list[str], most: int = 8) -> str:
    """List texts for a message; replace the rest of a long list by a number."""
    rest = len(texts) - most
    return ", ".join(texts[:most]) + (f" and {rest} more" if rest > 0 else "")
