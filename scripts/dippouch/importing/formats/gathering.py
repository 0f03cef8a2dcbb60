"""Reading on after a fault, so that one run tells all that is wrong with a document."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

from dippouch.errors import Faults

Item = TypeVar("Item")
Made = TypeVar("Made")


def read_all(items: Iterable[Item], read: Callable[[Item], Made], faults: Faults) -> list[Made]:
    """What a reader makes of each item, without those that it rejects: their faults are gathered."""
    made = []
    for item in items:
        with faults.gathered():
            made.append(read(item))
    return made
