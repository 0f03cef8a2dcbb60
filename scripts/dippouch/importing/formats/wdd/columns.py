"""The head of a World Diplomacy Database table whose cells are known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dippouch.importing.parsing.words import heading

# What the pages call a column. Where first and last name have a column each, the name is both cells.
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
    """The columns of a table: the name of each by its position, empty for one that nobody needs."""

    names: tuple[str, ...]

    @property
    def width(self) -> int:
        """How many columns there are."""
        return len(self.names)

    def text(self, cells: Sequence[str], name: str) -> str:
        """The text in a column of a row; empty when the row is cut before it."""
        found = [cell for cell, column in zip(cells, self.names, strict=False) if column == name and cell]
        return " ".join(" ".join(found).split())


def read_head(texts: Sequence[str]) -> Head | None:
    """The head that cells make, if they are those of a table of players or of a player's tournaments."""
    names = tuple(_COLUMNS.get(heading(text), "") for text in texts)
    if {"rank", "name"} <= set(names) or {"rank", "date", "tournament"} <= set(names):
        return Head(names)
    return None
