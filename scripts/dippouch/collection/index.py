"""Indices of what documents state, as sets by key. The additions of one file can be taken back."""

from collections import defaultdict
from collections.abc import Iterable
from typing import Any, TypeVar

Value = TypeVar("Value")

# Sets by key. Reading an unknown key adds an empty set, which means the same as no key.
Sets = defaultdict[str, set[Value]]


class Index:
    """The base class of indices of people or tournaments; subclasses add values with `_add`.

    Attributes:
        source_ids: the ids of a person or a tournament at sources, such as `wdd:1480`.
    """

    def __init__(self) -> None:
        # The changed sets and, at the same place, the values added to them: a list of pairs would take four times the memory.
        self._changed: list[set[Any]] = []
        self._added: list[object] = []
        self.source_ids: Sets[str] = defaultdict(set)
        # An id of a source belongs to the first one who has it.
        self._owners: Sets[str] = defaultdict(set)

    def keep(self) -> None:
        """Accept all additions."""
        self._changed.clear()
        self._added.clear()

    def take_back(self) -> None:
        """Take back all additions since `keep`."""
        for values, value in zip(self._changed, self._added, strict=True):
            values.discard(value)
        self.keep()

    def owner_of(self, source_id: str) -> str | None:
        """Return the person or the tournament that has a source's id such as `wdd:1073`; None without one."""
        return next(iter(self._owners.get(source_id, ())), None)

    def is_of_another(self, known: str, source_ids: Iterable[str]) -> bool:
        """Return whether the source of one of some ids has other ids for a person or a tournament, but not this one."""
        for source_id in source_ids:
            source = source_id.partition(":")[0]
            of_source = {one for one in self.source_ids.get(known, ()) if one.partition(":")[0] == source}
            if of_source and source_id not in of_source:
                return True
        return False

    def _add(self, values: set[Value], value: Value) -> None:
        if value not in values:
            values.add(value)
            self._changed.append(values)
            self._added.append(value)

    def _add_source_ids(self, owner: str, source_ids: Iterable[str]) -> None:
        for source_id in source_ids:
            self._add(self.source_ids[owner], source_id)
            if not self._owners[source_id]:
                self._add(self._owners[source_id], owner)
