"""Lives from beginning to end, the same for the same seed, however many processes live them."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from random import Random

from support.compiled import CompiledProject, Warehouse
from support.state_machine.life import IMPORT, BrokenStep, Life, Run, Step
from support.state_machine.steps import Scene, available, make_step
from support.state_machine.stories import shortest, told, written
from support.state_machine.world import World, make_world

# So many steps has a life: enough for decisions upon decisions, few enough for a story that a person reads.
LIFE = 25

Counts = Counter[tuple[str, str]]


@dataclass
class Living:
    """A life under way: makes its steps and takes them.

    Attributes:
        counts: how many steps of each kind had which outcome.
        steps: what was done.
    """

    project: CompiledProject
    life: Life
    world: World
    counts: Counts = field(default_factory=Counter)
    steps: list[Step] = field(default_factory=list)

    def live(self, kind: str, chance: Random) -> None:
        """Take a step of a kind.

        Raises:
            BrokenStep: with the shortest story that leads there.
        """
        imported = [step for step in self.steps if isinstance(step, Run) and step.program == IMPORT and step.files]
        scene = Scene(self.world, self.life.rows(), len(self.steps), chance, imported)
        step = make_step(kind, scene)
        self.steps.append(step)
        try:
            self.counts[step.kind, self.life.take(step)] += 1
        except BrokenStep as broken:
            steps = shortest(self.project, self.steps, broken.promise)
            script = written(steps, Path(tempfile.mkdtemp(prefix="story_")))
            raise BrokenStep(broken.promise, f"{_details(broken)}\n{told(steps)}\n(as a script: {script})") from None


def _details(broken: BrokenStep) -> str:
    return str(broken).partition("\n")[2]


def lives(seed: int, steps: int) -> Iterator[tuple[str, int]]:
    """The seeds of the lives that so many steps make, with the number of steps of each."""
    for number in range((steps + LIFE - 1) // LIFE):
        yield f"{seed}-{number}", min(LIFE, steps - number * LIFE)


def live_through(project: CompiledProject, warehouse: Warehouse, seed: str, steps: int) -> Counts:
    """One life from its first step to its last.

    Returns:
        How many steps of each kind had which outcome.

    Raises:
        BrokenStep: when something is as it must never be.
    """
    chance = Random(seed)  # noqa: S311 (chance, not secrecy)
    kinds = available()
    with tempfile.TemporaryDirectory(prefix="life_") as folder:
        living = Living(project, Life(warehouse, Path(folder) / "life"), make_world(chance))
        for _ in range(steps):
            kind = chance.choices([*kinds], [*kinds.values()])[0]
            living.live(kind, Random(chance.getrandbits(64)))  # noqa: S311
    return living.counts


def told_life(manifest: Path, seed: str, steps: int) -> tuple[str, Counts, str]:
    """One life in a process of its own: its seed, what happened, and the story of what must never be, if it was."""
    project, warehouse = _prepared(manifest)
    try:
        return seed, live_through(project, warehouse, seed, steps), ""
    except BrokenStep as broken:
        return seed, Counter(), str(broken)


@cache
def _prepared(manifest: Path) -> tuple[CompiledProject, Warehouse]:
    project = CompiledProject(manifest)
    return project, Warehouse(project)
