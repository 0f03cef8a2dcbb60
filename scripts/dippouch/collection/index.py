"""Indices of what documents state, as sets by key. The additions of one file can be taken back."""

from collections import defaultdict
from collections.abc import Iterable
from typing import Any, TypeVar

Value = TypeVar("Value")

# Sets by key. Reading an unknown key adds an empty set, which means the same as no key.
Sets = defaultdict[str, set[Value]]


class Index:
    """The base class of indices; subclasses add values with `_add`."""

    def __init__(self) -> None:
        # The changed sets and, at the same place, the values added to them: a list of pairs would take four times the memory.
        self._changed: list[set[Any]] = []
        self._added: list[object] = []

    def keep(self) -> None:
        """Accept all additions."""
        self._changed.clear()
        self._added.clear()

    def take_back(self) -> None:
        """Take back all additions since `keep`."""
        for values, value in zip(self._changed, self._added, strict=True):
            values.discard(value)
        self.keep()

    def _add(self, values: set[Value], value: Value) -> None:
        if value not in values:
            values.add(value)
            self._changed.append(values)
            self._added.append(value)


def has_other_ids(known: Iterable[str], source_ids: Iterable[str]) -> bool:
    """Return whether a given id contradicts the known ones: its source has given others, but not this one."""
    for source_id in source_ids:
        source = source_id.partition(":")[0]
        if (of_source := {one for one in known if one.partition(":")[0] == source}) and source_id not in of_source:
            return True
    return False
