"""An index of what documents state: sets by key. What one file added to it can be taken back."""

from collections import defaultdict
from collections.abc import Iterable
from typing import TypeVar

Value = TypeVar("Value")

# Sets by key; asking for an unknown key adds nothing that counts.
Sets = defaultdict[str, set[Value]]


class Index:
    """The base of indices; their values are added by `_add`."""

    def __init__(self) -> None:
        self._added: list[tuple[set, object]] = []  # type: ignore[type-arg]  # The sets hold values of any type.

    def keep(self) -> None:
        """Keep what was added."""
        self._added.clear()

    def take_back(self) -> None:
        """Take back what was added since `keep`."""
        for values, value in self._added:
            values.discard(value)
        self.keep()

    def _add(self, values: set[Value], value: Value) -> None:
        if value not in values:
            values.add(value)
            self._added.append((values, value))


def has_other_ids(known: Iterable[str], source_ids: Iterable[str]) -> bool:
    """Return whether somebody with known ids at sources has others at the source of one of the given ids, but not that one."""
    for source_id in source_ids:
        source = source_id.partition(":")[0]
        if (of_source := {one for one in known if one.partition(":")[0] == source}) and source_id not in of_source:
            return True
    return False
