"""Readers who query without a pause while a file is published repeatedly: they may notice nothing but new figures.

A reader is a process of its own that asks several questions in turn: picklable functions without arguments that return
the answer as text.
"""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from itertools import cycle
from multiprocessing import get_context
from multiprocessing.queues import Queue
from multiprocessing.synchronize import Event
from pathlib import Path
from queue import Empty
from types import TracebackType
from typing import NamedTuple, Self

import duckdb

from dippouch.db import attach
from dippouch.publishing.publication import publish

Ask = Callable[[], str]
# The questions of one reader, by name.
Questions = Mapping[str, Ask]

_SLOWEST_SECONDS = 180.0

# A fingerprint of a publication: constant while it is there, and different for any mixture of two.
_WHOLE = """
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


def ask(database: Path) -> str:
    """Return the answer of a published file.

    Raises:
        duckdb.Error: when it cannot be read.
        AssertionError: when it is a mixture of two publications.
    """
    with duckdb.connect() as connection:
        # In a child process DuckDB acts like a shell, and would show progress.
        connection.execute("set enable_progress_bar = false")
        attach(connection, database, "published")
        connection.execute("use published")
        row = connection.execute(_WHOLE).fetchone()
    assert row is not None
    ranking, results, differing = row
    assert not differing, f"{differing} ratings of the ranking are not the last of their history"
    return f"{ranking} {results}"


class Heard(NamedTuple):
    """A reader's answer, with the times of question and answer on the clock that all processes share."""

    reader: int
    question: str
    asked: float
    told: float
    answer: str
    fault: str


@dataclass
class Readers:
    """Readers who query inside a `with` block.

    Attributes:
        questions: the questions of each reader.
        pause: seconds between two questions of a reader.
    """

    questions: Sequence[Questions]
    pause: float = 0.0

    def __enter__(self) -> Self:
        context = get_context("spawn")
        self._heard: Queue[Heard] = context.Queue()
        self._ended, self._asking = context.Event(), context.Event()
        self._asking.set()
        shared = (self.pause, self._heard, self._ended, self._asking)
        self._processes = [
            context.Process(target=_ask_on, args=(number, dict(questions), *shared), daemon=True)
            for number, questions in enumerate(self.questions)
        ]
        for process in self._processes:
            process.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._ended.set()
        for process in self._processes:
            process.join(timeout=10)
            process.kill()

    def _check_alive(self) -> None:
        for number, process in enumerate(self._processes):
            assert process.exitcode is None, f"reader {number} ended with exit code {process.exitcode}"

    @contextmanager
    def away(self) -> Iterator[None]:
        """Pause all readers within the block."""
        self._asking.clear()
        time.sleep(3 * self.pause)
        try:
            yield
        finally:
            self._asking.set()

    def heard(self) -> Iterator[Heard]:
        """Yield the answers since the last call; raise an `AssertionError` if a reader has ended."""
        self._check_alive()
        with suppress(Empty):
            while True:
                yield self._heard.get_nowait()

    def heard_from_all(self, since: float) -> list[Heard]:
        """Return the answers until each reader has answered a question asked after `since`.

        Raises:
            AssertionError: when a reader has ended, or gets no answer for long.
        """
        taken: list[Heard] = []
        waiting = set(range(len(self.questions)))
        ends = time.monotonic() + _SLOWEST_SECONDS
        while waiting:
            assert time.monotonic() < ends, f"readers without an answer: {sorted(waiting)}"
            self._check_alive()
            with suppress(Empty):
                taken.append(self._heard.get(timeout=1))
                if taken[-1].asked >= since:
                    waiting.discard(taken[-1].reader)
        return taken


def _ask_on(
    number: int, questions: dict[str, Ask], pause: float, heard: Queue[Heard], ended: Event, asking: Event
) -> None:
    # A parent that is killed cannot tell its readers to end.
    parent = os.getppid()
    for question, asks in cycle(questions.items()):
        while not asking.wait(timeout=1) and not ended.is_set() and os.getppid() == parent:
            pass
        if ended.is_set() or os.getppid() != parent:
            return
        asked = time.monotonic()
        answer = fault = ""
        try:
            answer = asks()
        except Exception as error:  # noqa: BLE001 (any error disturbs a reader)
            fault = f"{type(error).__name__}: {error}"
        heard.put(Heard(number, question, asked, time.monotonic(), answer, fault))
        time.sleep(pause)


class Published(NamedTuple):
    """A publication: its name, and the start and end of its replacement of the one before."""

    name: str
    began: float
    ended: float


@dataclass
class Undisturbed:
    """The outcome.

    Attributes:
        publications: the number of publications.
        answers: the number of answers to each question.
        faults: errors, and answers that belong to no publication of that moment.
    """

    publications: int = 0
    answers: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)


def publish_under(
    questions: Sequence[Questions],
    builds: Mapping[str, Path],
    target: Path,
    expected: Mapping[str, Mapping[str, str]],
    *,
    times: int,
) -> Undisturbed:
    """Publish builds in turn while readers query, each at least once between two publications.

    Every answer must be the complete answer of a publication that existed during the query: no mixture, and none that was
    replaced before. `expected` has the answer of each build to each question, without publications meanwhile. At the start, the
    target holds the last of the builds.
    """
    names = cycle(builds)
    timeline = [Published(list(builds)[-1], 0.0, 0.0)]
    with Readers(questions) as readers:
        everything = readers.heard_from_all(time.monotonic())
        for _ in range(times):
            name, began = next(names), time.monotonic()
            publish(builds[name], target)
            timeline.append(Published(name, began, time.monotonic()))
            everything += readers.heard_from_all(timeline[-1].ended)
    result = Undisturbed(times, Counter(one.question for one in everything if not one.fault))
    result.faults += [found for one in everything if (found := _fault(one, timeline, expected[one.question]))]
    return result


def _fault(one: Heard, timeline: Sequence[Published], expected: Mapping[str, str]) -> str:
    """Return what is wrong with an answer; empty if it is right."""
    told = f"reader {one.reader}, {one.question}: "
    if one.fault:
        return told + one.fault
    # A publication may be read from the start of its own replacement to the end of the next one.
    replaced = [*(later.ended for later in timeline[1:]), float("inf")]
    there = {
        publication.name
        for publication, gone in zip(timeline, replaced, strict=True)
        if publication.began <= one.told and one.asked <= gone
    }
    if one.answer in {expected[name] for name in there}:
        return ""
    of = [name for name, answer in expected.items() if answer == one.answer]
    return told + (
        f"the answer of {of[0]}, which had been replaced" if of else f"of no publication: {one.answer[:300]}"
    )
