"""Readers of the published file, and a check that they were not disturbed."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from support.promises import BrokenPromise
from support.reader_load import Readers, ask


class Watched(Readers):
    """Two readers of one database.

    Attributes:
        answered: the number of answers.
        spoiled: the number of failed queries while a test's stray file was beside the database.
        seen: all distinct answers.
    """

    def __init__(self, database: Path) -> None:
        super().__init__([{"the whole": partial(ask, database)}] * 2, pause=0.3)
        self.answered = 0
        self.spoiled = 0
        self.seen: set[str] = set()
        self._spoilt: list[tuple[float, float]] = []

    @contextmanager
    def spoilt(self) -> Iterator[None]:
        """Accept failed queries within the block: the test's stray file keeps readers out until a refresh removes it."""
        began = time.monotonic()
        try:
            yield
        finally:
            self._spoilt.append((began, time.monotonic()))

    def check(self) -> None:
        """Check the answers since the last call.

        Raises:
            BrokenPromise: when a reader was disturbed.
        """
        for one in self.heard():
            if not one.fault:
                self.answered += 1
                self.seen.add(one.answer)
            elif any(began <= one.told and one.asked <= ended for began, ended in self._spoilt):
                self.spoiled += 1
            else:
                raise BrokenPromise(f"a reader was disturbed: {one.fault}")
