"""Readers who query without a pause while a file is published repeatedly: they may notice nothing but new figures."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from itertools import cycle
from multiprocessing import get_context
from multiprocessing.queues import Queue
from multiprocessing.synchronize import Event
from pathlib import Path
from queue import Empty
from typing import NamedTuple, Self

from dippouch.publishing.publication import publish

# The question of a reader: a picklable function that returns the answer as text.
Ask = Callable[[], str]

_SLOWEST_SECONDS = 180.0


class Heard(NamedTuple):
    """A reader's answer, with the times of question and answer on the clock that all processes share."""

    reader: int
    asked: float
    told: float
    answer: str
    fault: str


class Readers:
    """Readers who query inside a `with` block, each in a process of its own, with a pause between two questions."""

    def __init__(self, asks: Sequence[Ask], pause: float = 0.0) -> None:
        context = get_context("spawn")
        self._pause = pause
        self._heard: Queue[Heard] = context.Queue()
        self._ended, self._asking = context.Event(), context.Event()
        shared = (pause, self._heard, self._ended, self._asking)
        self._processes = [
            context.Process(target=_ask_on, args=(number, ask, *shared), daemon=True) for number, ask in enumerate(asks)
        ]

    def __enter__(self) -> Self:
        self._asking.set()
        for process in self._processes:
            process.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._ended.set()
        for process in self._processes:
            process.join(timeout=10)
            process.kill()

    @contextmanager
    def away(self) -> Iterator[None]:
        """Pause all readers within the block."""
        self._asking.clear()
        time.sleep(3 * self._pause)
        try:
            yield
        finally:
            self._asking.set()

    def heard(self) -> Iterator[Heard]:
        """Yield the answers since the last call; raise an `AssertionError` if a reader has ended."""
        for number, process in enumerate(self._processes):
            assert process.exitcode is None, f"reader {number} ended with exit code {process.exitcode}"
        with suppress(Empty):
            while True:
                yield self._heard.get(timeout=0.01)

    def heard_from_all(self, since: float) -> list[Heard]:
        """Return the answers until each reader has answered a question asked after `since`.

        Raises:
            AssertionError: when a reader has ended, or gets no answer for long.
        """
        taken: list[Heard] = []
        waiting = set(range(len(self._processes)))
        ends = time.monotonic() + _SLOWEST_SECONDS
        while waiting:
            assert time.monotonic() < ends, f"readers without an answer: {sorted(waiting)}"
            for one in self.heard():
                taken.append(one)
                waiting -= {one.reader} if one.asked >= since else set()
                if not waiting:
                    break
        return taken


def _ask_on(number: int, ask: Ask, pause: float, heard: Queue[Heard], ended: Event, asking: Event) -> None:
    # A parent that is killed cannot tell its readers to end.
    parent = os.getppid()
    while not ended.is_set() and os.getppid() == parent:
        if not asking.wait(timeout=1):
            continue
        asked = time.monotonic()
        answer = fault = ""
        try:
            answer = ask()
        except Exception as error:  # noqa: BLE001 (any error disturbs a reader)
            fault = f"{type(error).__name__}: {error}"
        heard.put(Heard(number, asked, time.monotonic(), answer, fault))
        time.sleep(pause)


class Published(NamedTuple):
    """A publication: its name, and the start and end of its replacement of the one before."""

    name: str
    began: float
    ended: float


def publish_under(
    asks: Sequence[Ask], builds: Mapping[str, Path], target: Path, expected: Mapping[str, str], *, times: int
) -> tuple[int, list[str]]:
    """Publish builds in turn while readers query, each at least once between two publications.

    Every answer must be the complete answer of a publication that existed during the query: no mixture, and none that was
    replaced before. `expected` has the answer of each build. At the start, the target holds the last of the builds.

    Returns:
        The number of answers, and what is wrong with them.
    """
    names = cycle(builds)
    timeline = [Published(list(builds)[-1], 0.0, 0.0)]
    with Readers(asks) as readers:
        everything = readers.heard_from_all(time.monotonic())
        for _ in range(times):
            name, began = next(names), time.monotonic()
            publish(builds[name], target)
            timeline.append(Published(name, began, time.monotonic()))
            everything += readers.heard_from_all(timeline[-1].ended)
    return len(everything), [found for one in everything if (found := _fault(one, timeline, expected))]


def _fault(one: Heard, timeline: Sequence[Published], expected: Mapping[str, str]) -> str:
    """Return what is wrong with an answer; empty if it is right."""
    if one.fault:
        return f"reader {one.reader}: {one.fault}"
    # A publication may be read from the start of its own replacement to the end of the next one.
    replaced = [*(later.ended for later in timeline[1:]), float("inf")]
    there = {
        publication.name
        for publication, gone in zip(timeline, replaced, strict=True)
        if publication.began <= one.told and one.asked <= gone
    }
    if one.answer in {expected[name] for name in there}:
        return ""
    of = [f"the answer of {name}, which had been replaced" for name, answer in expected.items() if answer == one.answer]
    return f"reader {one.reader}: {of[0] if of else f'of no publication: {one.answer[:300]}'}"
