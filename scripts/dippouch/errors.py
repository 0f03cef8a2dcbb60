"""Errors shown to users: found, place, expected. Never a traceback."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple, TypeVar

from dippouch.printable import visible_line

Item = TypeVar("Item")
Made = TypeVar("Made")

# Nobody mends more faults than this before the next try.
MOST_FAULTS = 50


class Location(NamedTuple):
    """A place in a file.

    Attributes:
        path: the file.
        line: line of the file, counted from 1; None for the file as a whole.
        place: the place in a file without lines, such as `cell B3`; shown instead of the line.
    """

    path: Path
    line: int | None = None
    place: str = ""

    def __str__(self) -> str:
        path = visible_line(str(self.path))
        if self.place:
            return f"{path}, {self.place}"
        return f"{path}:{self.line}" if self.line else path

    @property
    def in_file(self) -> str:
        """Return the place without the file, for a second place in a message: `cell B3`, `line 7`, or empty."""
        return self.place or (f"line {self.line}" if self.line else "")


class UserError(Exception):
    """An error that the user can mend; programs print it and exit with 1."""


class DocumentError(UserError):
    """An error for a document that cannot be imported.

    Args:
        location: the place of the fault.
        found: the text at that place.
        expected: the text that belongs there.
        hint: a remedy for the rating keeper, if known.

    Attributes:
        further: other faults of the same document, found in the same run.
    """

    def __init__(self, location: Location, found: str, expected: str, hint: str = "") -> None:
        self.location = location
        self.found = found
        self.expected = expected
        self.hint = hint
        self.further: list[DocumentError] = []
        message = f"{location}: found {found}; expected {expected}"
        super().__init__(f"{message}. {hint}" if hint else message)


class Faults:
    """Gathers the faults of one document, up to MOST_FAULTS, so that one run reports all of them.

    Wrap each step in `with faults.gathered():`, then call `raise_any`.
    """

    def __init__(self) -> None:
        self._found: dict[str, DocumentError] = {}

    @contextmanager
    def gathered(self) -> Iterator[None]:
        """Catch and keep the document error of the enclosed step, with its further ones."""
        try:
            yield
        except DocumentError as error:
            self.add(error)

    def add(self, error: DocumentError) -> None:
        """Keep a document error with its further ones, without duplicates; cheaper than one `gathered()` per item.

        Raises:
            DocumentError: the first fault with the others, once MOST_FAULTS are kept.
        """
        for fault in (error, *error.further):
            self._found.setdefault(str(fault), fault)
        if len(self._found) >= MOST_FAULTS:
            self.raise_any()

    def each(self, items: Iterable[Item], read: Callable[[Item], Made]) -> list[Made]:
        """Read each item; gather the faults of rejected items, and return the other results."""
        made = []
        for item in items:
            with self.gathered():
                made.append(read(item))
        return made

    def __bool__(self) -> bool:
        """Return whether any fault was gathered."""
        return bool(self._found)

    def raise_any(self) -> None:
        """Raise the gathered faults, if there are any.

        Raises:
            DocumentError: the first fault, with the others as its further ones.
        """
        if self._found:
            first, *further = self._found.values()
            first.further = further
            raise first
