"""Cells of tables, which know where they stand."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

from openpyxl.cell.cell import ERROR_CODES
from openpyxl.utils import get_column_letter

from dippouch.errors import DocumentError, Location
from dippouch.names import shortened

T = TypeVar("T")

AS_REMARK = "Delete the row, or begin it with `#` when it is a remark."


class Cell(NamedTuple):
    """A cell's text and where it stands."""

    text: str
    location: Location

    def fault(self, found: str, expected: str, hint: str = "") -> DocumentError:
        """The error of a document with something wrong in this cell."""
        return DocumentError(self.location, found, expected, hint)

    def parsed(self, label: str, parse: Callable[[str], T]) -> T:
        """What a parser makes of the text."""
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
    def filled(self) -> list[Cell]:
        """The cells with text."""
        return [self.cell(i) for i, text in enumerate(self.texts) if text]

    @property
    def is_blank(self) -> bool:
        """Whether no cell has text."""
        return not any(self.texts)

    @property
    def is_remark(self) -> bool:
        """Whether it begins with `#`, and not with a number (`#3`) or with what a spreadsheet writes for an error."""
        first = next((text for text in self.texts if text), "")
        return first.startswith("#") and first not in ERROR_CODES and not first[1:].isdecimal()


def listed(texts: list[str], most: int = 8) -> str:
    """Texts in a row for a message, the rest of a long list as a number."""
    rest = len(texts) - most
    return ", ".join(texts[:most]) + (f" and {rest} more" if rest > 0 else "")
