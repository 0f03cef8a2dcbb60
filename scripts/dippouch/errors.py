"""The errors that a user sees: what was found, where, and what was expected. Never a traceback."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple, TypeVar

from dippouch.printable import visible_line

Item = TypeVar("Item")
Made = TypeVar("Made")

# Nobody mends more before trying again.
MOST_FAULTS = 50


class Location(NamedTuple):
    """Where something stands.

    Attributes:
        path: the file.
        line: line of the file, counted from 1; None for the file as a whole.
        place: the place in a file that has no lines, such as `cell B3`; shown instead of the line.
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
        """The location without the file, for a second place in a message: `cell B3` or `line 7`; empty for the whole file."""
        return self.place or (f"line {self.line}" if self.line else "")


class UserError(Exception):
    """Something that whoever runs a program can mend; programs print it and exit with 1."""


class DocumentError(UserError):
    """A document that cannot be imported.

    Args:
        location: where the fault is.
        found: what stands there.
        expected: what should stand there.
        hint: what the rating keeper can do about it, where that is known.

    Attributes:
        further: what else is wrong with the same document, found in the same run.
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
    """The faults of one document, gathered so that one run reports all of them, up to MOST_FAULTS.

    Each piece of work runs `with faults.gathered():`; `raise_any` then ends the document.
    """

    def __init__(self) -> None:
        self._found: dict[str, DocumentError] = {}

    @contextmanager
    def gathered(self) -> Iterator[None]:
        """Keep the document error that ends the work inside, with its further ones."""
        try:
            yield
        except DocumentError as error:
            self.add(error)

    def add(self, error: DocumentError) -> None:
        """Keep a document error with its further ones, each once, where there are too many pieces of work for a context each.

        Raises:
            DocumentError: the first one with the others, when there are enough of them.
        """
        for fault in (error, *error.further):
            self._found.setdefault(str(fault), fault)
        if len(self._found) >= MOST_FAULTS:
            self.raise_any()

    def each(self, items: Iterable[Item], read: Callable[[Item], Made]) -> list[Made]:
        """Return what a reader makes of each item, without those that it rejects: their faults are gathered."""
        made = []
        for item in items:
            with self.gathered():
                made.append(read(item))
        return made

    def __bool__(self) -> bool:
        """Whether anything was wrong so far."""
        return bool(self._found)

    def raise_any(self) -> None:
        """End the document, if anything was wrong with it.

        Raises:
            DocumentError: the first that was found, with the others as its further ones.
        """
        if self._found:
            first, *further = self._found.values()
            first.further = further
            raise first
