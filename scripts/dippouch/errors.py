"""The errors that a rating keeper sees: what was found, where, and what was expected. Never a traceback."""

from __future__ import annotations

from pathlib import Path


class KeeperError(Exception):
    """Something the person at the keyboard can mend; programs print it and exit with 1."""


class DocumentError(KeeperError):
    """A document that cannot be imported.

    Args:
        path: the document.
        line: line of the document, counted from 1; None when the fault is in the document as a whole.
        found: what stands there.
        expected: what should stand there.
        hint: what the keeper can do about it, where that is known.
        place: the place in a document that has no lines, such as `cell B3`; shown instead of the line.
    """

    def __init__(
        self, path: Path, line: int | None, found: str, expected: str, hint: str = "", *, place: str = ""
    ) -> None:
        self.path = path
        self.line = line
        self.found = found
        self.expected = expected
        self.hint = hint
        self.place = place
        where = f"{path}, {place}" if place else f"{path}:{line}" if line else f"{path}"
        message = f"{where}: found {found}; expected {expected}"
        super().__init__(f"{message}. {hint}" if hint else message)
