"""The head of a World Diplomacy Database table whose cells are known, and the lines above it put together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dippouch.importing.formats.cells import heading
from dippouch.importing.formats.wdd.fields import Line

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

# A label whose line belongs to the line above it, and one whose value may stand on the line below.
_CONTINUES = ("Place", "Number of rounds", "Number of boards", "Coeff 2", "Coeff 3", "Last Update")
_LABELS = ("Date", "Number of players", "Coeff 1", "Author", *_CONTINUES)


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


def joined_lines(lines: Sequence[Line]) -> list[Line]:
    """Lines such that what belongs together (`Date ... Place ...`) is on one, as the page shows it."""
    joined: list[Line] = []
    for line in lines:
        above = joined[-1] if joined else None
        text = line.text.replace(" :", ":")
        for label in _LABELS:
            text = text.replace(f"{label}:", label)
        if above and above.text.startswith(_LABELS) and text and _belongs(text, above.text):
            joined[-1] = Line(above.location, f"{above.text} {text}")
        else:
            joined.append(Line(line.location, text))
    return joined


def _belongs(text: str, above: str) -> bool:
    """Whether a line continues the fields of the line above it: with the next field, or with a field's value."""
    return text.startswith(_CONTINUES) or (above.endswith(_LABELS) and not text.startswith(_LABELS))
