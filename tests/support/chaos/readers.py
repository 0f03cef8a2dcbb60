"""Readers who ask the published database all the time, each in a process of its own, as a dashboard does."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from multiprocessing import get_context
from multiprocessing.queues import Queue
from multiprocessing.synchronize import Event
from pathlib import Path
from queue import Empty
from types import TracebackType
from typing import NamedTuple, Self

import duckdb

from dippouch.db import attach
from support.fuzzing.trial import BrokenPromise

_PAUSE_SECONDS = 0.3

# One publication gives the same answer for as long as it is there, and nothing but a whole one gives it.
_QUESTION = """
    with last_ratings as (
        select rating_system_id, player_id, arg_max(rating_after, event_number) as rating
        from marts.rating_history
        group by all
    )

    select
        (select count(*) || ':' || coalesce(bit_xor(hash(r)), 0) from marts.international_ranking as r),
        (select count(*) || ':' || coalesce(bit_xor(hash(t)), 0) from marts.tournament_results as t),
        (
            select count(*)
            from marts.international_ranking as ranked
            left join last_ratings using (rating_system_id, player_id)
            where ranked.rating is distinct from last_ratings.rating
        )
"""


class Answer(NamedTuple):
    """What a reader was told: a publication's answer, or why there was none; with when it was asked and told."""

    asked: float
    told: float
    answer: str
    fault: str


def ask(database: Path) -> str:
    """What the published database answers now.

    Raises:
        duckdb.Error: when it cannot be read.
        BrokenPromise: when it is a mixture of two publications.
    """
    with duckdb.connect() as connection:
        # In a process that another one started DuckDB takes itself for a shell, which shows progress.
        connection.execute("set enable_progress_bar = false")
        attach(connection, database, "published")
        connection.execute("use published")
        row = connection.execute(_QUESTION).fetchone()
    assert row is not None
    ranking, results, differing = row
    if differing:
        raise BrokenPromise(f"{differing} ratings of the ranking are not the last of their history")
    return f"{ranking} {results}"


def _read(database: Path, answers: Queue[Answer], ended: Event, asking: Event) -> None:
    # Whoever is killed cannot say that it has ended.
    parent = os.getppid()
    while not ended.is_set() and os.getppid() == parent:
        if asking.wait(timeout=_PAUSE_SECONDS):
            asked = time.monotonic()
            answer = fault = ""
            try:
                answer = ask(database)
            except (duckdb.Error, BrokenPromise) as error:
                fault = str(error)
            answers.put(Answer(asked, time.monotonic(), answer, fault))
            time.sleep(_PAUSE_SECONDS)


@dataclass
class Readers:
    """Some readers of one database, between `with` and its end.

    Attributes:
        answered: how many answers there were.
        spoiled: how many had no answer while a test had put a stray file beside the database.
        seen: every answer that differs from the others.
    """

    database: Path
    number: int = 2
    answered: int = 0
    spoiled: int = 0
    seen: set[str] = field(default_factory=set)

    def __enter__(self) -> Self:
        context = get_context("spawn")
        self._answers: Queue[Answer] = context.Queue()
        self._ended, self._asking = context.Event(), context.Event()
        self._spoilt: list[tuple[float, float]] = []
        self._asking.set()
        arguments = (self.database, self._answers, self._ended, self._asking)
        self._processes = [context.Process(target=_read, args=arguments, daemon=True) for _ in range(self.number)]
        for process in self._processes:
            process.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._ended.set()
        for process in self._processes:
            process.join(timeout=10)
            process.kill()

    @contextmanager
    def away(self) -> Iterator[None]:
        """Nobody asks: whoever opens the database for writing meanwhile is in nobody's way."""
        self._asking.clear()
        time.sleep(3 * _PAUSE_SECONDS)
        try:
            yield
        finally:
            self._asking.set()

    @contextmanager
    def spoilt(self) -> Iterator[None]:
        """What a test put beside the database keeps readers out, until a refresh has cleared it away."""
        began = time.monotonic()
        try:
            yield
        finally:
            self._spoilt.append((began, time.monotonic()))

    def check(self) -> None:
        """Take what the readers were told since the last time.

        Raises:
            BrokenPromise: when one of them was disturbed.
        """
        while True:
            try:
                answer = self._answers.get_nowait()
            except Empty:
                return
            if not answer.fault:
                self.answered += 1
                self.seen.add(answer.answer)
            elif any(began <= answer.told and answer.asked <= ended for began, ended in self._spoilt):
                self.spoiled += 1
            else:
                raise BrokenPromise(f"a reader was disturbed: {answer.fault}")
