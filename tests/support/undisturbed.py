"""Readers who ask without a pause while a file is published again and again: none may notice more than new figures.

A reader is a process of its own that asks some questions in turn. Whoever has another one, say a dashboard, adds it to the
readers: a function without arguments for each of its questions, which gives the answer as text, and can be pickled.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import cycle
from multiprocessing import get_context
from multiprocessing.queues import Queue
from multiprocessing.synchronize import Event
from pathlib import Path
from queue import Empty
from typing import NamedTuple

from dippouch.publishing.publication import publish

Ask = Callable[[], str]
# The questions of one reader, by name.
Questions = Mapping[str, Ask]

_SLOWEST_SECONDS = 180.0


class Heard(NamedTuple):
    """What a reader was told, when it had asked and when it was told, on the clock that all processes share."""

    reader: int
    question: str
    asked: float
    told: float
    answer: str
    fault: str


class Published(NamedTuple):
    """A publication: its name, and from when until when it took the place of the one before."""

    name: str
    began: float
    ended: float


@dataclass
class Undisturbed:
    """What came of it.

    Attributes:
        publications: how often the file was published.
        answers: how many answers each question had.
        faults: what a reader was told that was no answer, or that no publication of that moment says.
    """

    publications: int = 0
    answers: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        """The counts, for people."""
        lines = [f"  {question}: {count:,}" for question, count in sorted(self.answers.items())]
        total = f"{self.publications} publications, {self.answers.total():,} answers, {len(self.faults)} faults"
        return "\n".join([total, *lines, *self.faults[:20]])


def publish_under(
    readers: Sequence[Questions],
    builds: Mapping[str, Path],
    target: Path,
    expected: Mapping[str, Mapping[str, str]],
    *,
    times: int,
) -> Undisturbed:
    """Publish builds in turn while readers ask, each at least once between two publications.

    Every answer must be the whole answer of a publication that was there while it was asked for: no mixture of two, and none that
    was replaced before.

    Args:
        readers: what each reader asks.
        builds: build databases by name; two at least. The target has the last one of them now.
        target: the published file.
        expected: the answer of each question to each build, as a quiet reader gets it.
        times: how often to publish.
    """
    context = get_context("spawn")
    heard: Queue[Heard] = context.Queue()
    ended = context.Event()
    processes = [
        context.Process(target=_ask_on, args=(number, dict(questions), heard, ended), daemon=True)
        for number, questions in enumerate(readers)
    ]
    names = cycle(builds)
    timeline = [Published(list(builds)[-1], 0.0, 0.0)]
    everything: list[Heard] = []
    for process in processes:
        process.start()
    try:
        everything += _hear_from_all(heard, len(readers), time.monotonic())
        for _ in range(times):
            name = next(names)
            began = time.monotonic()
            publish(builds[name], target)
            timeline.append(Published(name, began, time.monotonic()))
            everything += _hear_from_all(heard, len(readers), timeline[-1].ended)
    finally:
        ended.set()
        for process in processes:
            process.join(timeout=10)
            process.kill()
    result = Undisturbed(times, Counter(one.question for one in everything if not one.fault))
    result.faults += [found for one in everything if (found := _fault(one, timeline, expected[one.question]))]
    return result


def _ask_on(number: int, questions: dict[str, Ask], heard: Queue[Heard], ended: Event) -> None:
    for question, ask in cycle(questions.items()):
        if ended.is_set():
            return
        asked = time.monotonic()
        answer = fault = ""
        try:
            answer = ask()
        except Exception as error:  # noqa: BLE001 (whatever it is, a reader was disturbed)
            fault = f"{type(error).__name__}: {error}"
        heard.put(Heard(number, question, asked, time.monotonic(), answer, fault))


def _hear_from_all(heard: Queue[Heard], readers: int, since: float) -> list[Heard]:
    """What readers were told until each had an answer that it asked for after a moment.

    Raises:
        AssertionError: when one of them hears nothing for long.
    """
    taken: list[Heard] = []
    answered: set[int] = set()
    ends = time.monotonic() + _SLOWEST_SECONDS
    while len(answered) < readers:
        try:
            one = heard.get(timeout=max(0.1, ends - time.monotonic()))
        except Empty:
            raise AssertionError(f"readers without an answer: {sorted(set(range(readers)) - answered)}") from None
        taken.append(one)
        if one.asked >= since:
            answered.add(one.reader)
    return taken


def _fault(one: Heard, timeline: Sequence[Published], expected: Mapping[str, str]) -> str:
    """What is wrong with an answer; empty when nothing is."""
    told = f"reader {one.reader}, {one.question}: "
    if one.fault:
        return told + one.fault
    # A publication is there from when its replacing began until that of the next one has ended.
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
