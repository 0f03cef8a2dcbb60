"""The cost of work, and measurements of several works in turns."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import TypeVar

_Found = TypeVar("_Found")


@dataclass(frozen=True)
class Cost:
    """The cost of work: wall-clock seconds, and processor seconds, which other programs disturb less."""

    clock: float
    processor: float


def measured(work: Callable[[], object], processor_seconds: Callable[[], float] = time.process_time) -> Cost:
    """Do some work, and return its cost.

    Args:
        work: the work to measure.
        processor_seconds: returns the processor time used so far.
    """
    began, used = time.perf_counter(), processor_seconds()
    work()
    return Cost(time.perf_counter() - began, processor_seconds() - used)


def in_turns(
    works: Mapping[str, Callable[[], _Found]], rounds: int, say: Callable[[str], None], *, once: Collection[str] = ()
) -> dict[str, list[_Found]]:
    """Do several works in turns, round after round, so that a slow minute of the machine affects all of them.

    Args:
        works: the works by name; each returns its measurement.
        rounds: number of rounds.
        say: called with the current work.
        once: names of works that are too slow for more than one round.

    Returns:
        The measurements of all rounds, by name.
    """
    found: dict[str, list[_Found]] = {name: [] for name in works}
    for number in range(1, rounds + 1):
        for name, work in works.items():
            if number > 1 and name in once:
                continue
            say(f"{name}, round {number} of {rounds}")
            found[name].append(work())
    return found
