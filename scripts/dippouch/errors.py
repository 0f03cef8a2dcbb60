"""The errors that a user sees: what was found, where, and what was expected. Never a traceback."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple


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
        if self.place:
            return f"{self.path}, {self.place}"
        return f"{self.path}:{self.line}" if self.line else f"{self.path}"

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
    """

    def __init__(self, location: Location, found: str, expected: str, hint: str = "") -> None:
        self.location = location
        self.found = found
        self.expected = expected
        self.hint = hint
        message = f"{location}: found {found}; expected {expected}"
        super().__init__(f"{message}. {hint}" if hint else message)
