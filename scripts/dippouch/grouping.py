"""Rows that come in groups, given out group by group without holding all of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import groupby
from typing import Any, Generic, TypeVar

T = TypeVar("T")


class Groups(Generic[T]):
    """Rows in the order of a key, asked for in the same order."""

    def __init__(self, rows: Iterator[Any], *, key: Callable[[Any], Any], value: Callable[[Any], T]) -> None:
        """Take the rows.

        Args:
            rows: in the order of the key.
            key: gives the key of a row.
            value: gives what is given out for a row.
        """
        self._groups = groupby(rows, key=key)
        self._next = next(self._groups, None)
        self._value = value

    def of(self, key: object) -> Iterator[T]:
        """The values of a key, to be read to their end before those of the next; none when there are none.

        What stands between two keys that are asked for is left out.
        """
        while self._next is not None and self._next[0] < key:
            self._next = next(self._groups, None)
        if self._next is not None and self._next[0] == key:
            yield from map(self._value, self._next[1])
            self._next = next(self._groups, None)
