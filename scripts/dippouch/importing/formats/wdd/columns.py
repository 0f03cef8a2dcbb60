"""The head of a World Diplomacy Database table with known cells."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dippouch.importing.parsing.words import heading

# The pages' names of columns. If first and last name have separate columns, both cells form the name.
_COLUMNS = {
    "rank": "rank",
    "firstname_lastname": "name",
    "firstname": "name",
    "lastname": "name",
    "name": "name",
    "loc": "location",
    "location": "location",
    "nat": "nation",
    "nationality": "nation",
    "country": "nation",
    "score": "score",
    "date": "date",
    "name_of_the_tournament": "tournament",
    "tournament": "tournament",
    "type": "kind",
}


@dataclass(frozen=True)
class Head:
    """The columns of a table: the name of each by its position, empty for an unused one."""

    names: tuple[str, ...]

    @property
    def width(self) -> int:
        """Return the number of columns."""
        return len(self.names)

    def text(self, cells: Sequence[str], name: str) -> str:
        """Return the text of a row in a column; empty if the row ends before it."""
        found = [cell for cell, column in zip(cells, self.names, strict=False) if column == name and cell]
        return " ".join(" ".join(found).split())


def read_head(texts: Sequence[str]) -> Head | None:
    """Return the head of a table of players, or of a player's tournaments; None for other cells."""
    names = tuple(_COLUMNS.get(heading(text), "") for text in texts)
    if {"rank", "name"} <= set(names) or {"rank", "date", "tournament"} <= set(names):
        return Head(names)
    return None
