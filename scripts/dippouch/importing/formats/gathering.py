"""Reading on after a fault, so that one run tells what is wrong with a document."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

from dippouch.errors import DocumentError, Faults

Item = TypeVar("Item")
Made = TypeVar("Made")


# More than that nobody mends before trying again.
MOST_FAULTS = 50


class FirstFaults(Faults):
    """The first faults of a document, as many as somebody will read at once: the last of them ends it."""

    def add(self, error: DocumentError) -> None:
        """Keep a document error.

        Raises:
            DocumentError: the first one with the others, when there are enough of them.
        """
        super().add(error)
        if len(self._found) >= MOST_FAULTS:
            self.raise_any()


def read_all(items: Iterable[Item], read: Callable[[Item], Made], faults: Faults) -> list[Made]:
    """What a reader makes of each item, without those that it rejects: their faults are gathered."""
    made = []
    for item in items:
        with faults.gathered():
            made.append(read(item))
    return made
