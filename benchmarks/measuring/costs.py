"""What work costs, and how several works are measured side by side."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import TypeVar

_Found = TypeVar("_Found")


@dataclass(frozen=True)
class Cost:
    """What work took: seconds on the clock, and seconds of processor time, which other programs disturb less."""

    clock: float
    processor: float


def measured(work: Callable[[], object], processor_seconds: Callable[[], float] = time.process_time) -> Cost:
    """Do some work, and say what it took.

    Args:
        work: what is measured.
        processor_seconds: how much processor time was used so far.
    """
    began, used = time.perf_counter(), processor_seconds()
    work()
    return Cost(time.perf_counter() - began, processor_seconds() - used)


def in_turns(
    works: Mapping[str, Callable[[], _Found]], rounds: int, say: Callable[[str], None], *, once: Collection[str] = ()
) -> dict[str, list[_Found]]:
    """Do several works, one after the other, again and again: a slow minute of the machine hits all of them.

    Args:
        works: what is done, by name; each gives back what was measured.
        rounds: how often.
        say: called with what is under way.
        once: those that take too long for more than one round.

    Returns:
        What was measured in each round, by name.
    """
    found: dict[str, list[_Found]] = {name: [] for name in works}
    for number in range(1, rounds + 1):
        for name, work in works.items():
            if number > 1 and name in once:
                continue
            say(f"{name}, round {number} of {rounds}")
            found[name].append(work())
    return found
