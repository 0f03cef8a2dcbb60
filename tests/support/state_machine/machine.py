"""Lives of collections as a Hypothesis state machine, which shrinks failures to the shortest story."""

from __future__ import annotations

import tempfile
from collections import Counter
from pathlib import Path
from random import Random
from typing import ClassVar

from hypothesis import HealthCheck, Phase, Verbosity, note, settings
from hypothesis import seed as seeded
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule, run_state_machine_as_test

from support.compiled import Warehouse
from support.state_machine.collection_life import Life, Run
from support.state_machine.steps import KINDS, Scene, make_step
from support.state_machine.world import make_world

# Steps in a life: enough for decisions on top of decisions.
LIFE = 25
# Decisions need people to decide on.
_BEGIN_WITH = ("import csv", "import csv", "import player")

Counts = Counter[tuple[str, str]]

# Bytes, because Hypothesis prefers small integers.
_CHANCE = st.binary(min_size=8, max_size=8)
_KIND = st.sampled_from([kind for kind, (weight, _) in KINDS.items() for _ in range(weight)])


class Collections(RuleBasedStateMachine):
    """A collection to which anything may happen, in any order.

    Attributes:
        warehouse: the warehouse that builds the collections.
        counts: the number of steps by kind and outcome.
    """

    warehouse: ClassVar[Warehouse]
    counts: ClassVar[Counts]

    @initialize(chance=_CHANCE)
    def begin(self, chance: bytes) -> None:
        """Begin with some documents of a new world."""
        self._folder = tempfile.TemporaryDirectory(prefix="life_")
        self._life = Life(self.warehouse, Path(self._folder.name) / "life")
        self._begun = chance
        self._world = make_world(Random(chance))  # noqa: S311 (not for security)
        self._number = 0
        self._imported: list[Run] = []
        for kind in _BEGIN_WITH:
            self.step(kind, chance)

    @rule(kind=_KIND, chance=_CHANCE)
    def step(self, kind: str, chance: bytes) -> None:
        """Take a step."""
        # Hypothesis repeats drawn values; for another life or kind, the step must differ.
        chance_of_step = Random(self._begun + chance + kind.encode())  # noqa: S311
        scene = Scene(self._world, self._life.rows(), self._number, chance_of_step, self._imported)
        step = make_step(kind, scene)
        note(f"{step}")
        self._number += 1
        if step.command == "import" and "--dry-run" not in step.arguments:
            self._imported.append(step)
        self.counts[step.kind, self._life.take(step)] += 1

    def teardown(self) -> None:
        """Remove the collection."""
        self._folder.cleanup()


def live(warehouse: Warehouse, steps: int, seed: int) -> Counts:
    """Take steps in lives of collections; the same seed gives the same steps.

    Returns:
        The number of steps by kind and outcome, including the first steps of each life.

    Raises:
        BrokenStep: when a promise is broken; notes tell the shortest story that leads there.
    """
    counts: Counts = Counter()
    machine = type("Collections", (Collections,), {"warehouse": warehouse, "counts": counts})
    run_state_machine_as_test(
        seeded(seed)(machine),
        settings=settings(
            max_examples=max(1, round(steps / LIFE)),
            stateful_step_count=min(steps, LIFE),
            phases=[Phase.generate, Phase.shrink],
            database=None,
            deadline=None,
            verbosity=Verbosity.normal,
            suppress_health_check=list(HealthCheck),
        ),
    )
    return counts
