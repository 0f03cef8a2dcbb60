"""Lives of small collections, as a Hypothesis state machine: random steps, with checks against a plain model after each."""

from __future__ import annotations

import copy
import re
import tempfile
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import ClassVar

import duckdb
from hypothesis import HealthCheck, Phase, note, settings
from hypothesis import seed as seeded
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule, run_state_machine_as_test

from dippouch.collection.folder import KEPT_CHANGES
from dippouch.collection.memory import Collection
from dippouch.messages import UserError
from support.compiled import Warehouse
from support.life_steps import KINDS, Run, Scene, make_step, make_world
from support.programs import run_here
from support.promises import BrokenPromise, demand
from support.seed_rows import Rows, contents, read_collection

ACCEPTED, PARTLY, REFUSED = "accepted", "partly", "refused"
# Steps in a life: enough for decisions on top of decisions.
_LIFE = 25
# Decisions need people to decide on.
_BEGIN_WITH = ("import csv", "import csv", "import player")
# The rows that state facts: an import adds to them.
_STATED = ("raw_tournaments", "raw_results", "raw_published_rankings")
# What holds of the facts that an import changes only with `--replace`. A player's page binds no table.
_HELD = {
    "select tournament_id, kind, started_on, ended_on, players, rounds, boards from int_tournaments"
    " where tournament_id in (select tournament_id from int_results where listed_by = 'tournament')": 1,
    "select tournament_id, listed_player_id, placement from int_results where listed_by = 'tournament'": 2,
}
# Bytes, because Hypothesis prefers small integers.
_CHANCE = st.binary(min_size=8, max_size=8)
_KIND = st.sampled_from([kind for kind, (weight, _) in KINDS.items() for _ in range(weight)])

Counts = Counter[tuple[str, str]]
Held = dict[tuple[str, ...], tuple[object, ...]]


@dataclass
class Decisions:
    """The decisions on people in force; of several decisions about the same ids the last applies.

    Attributes:
        pairs: whether two ids are one person, by pair.
        splits: the person of an id in one tournament, by both.
    """

    pairs: dict[frozenset[str], bool] = field(default_factory=dict)
    splits: dict[tuple[str, str], str] = field(default_factory=dict)

    def decide(self, step: Run) -> None:
        """Record the decision on people that an accepted command makes, if any."""
        if step.command in ("merge", "distinct"):
            self.pairs[frozenset(step.arguments[:2])] = step.command == "merge"
        elif step.command == "split":
            listed, tournament, person = step.arguments[:3]
            self.splits.pop((listed, tournament), None)
            if listed != person:
                self.splits[listed, tournament] = person

    def check(self, rows: Rows) -> None:
        """Check that a collection has every decision."""
        aliases = {
            (row["listed_player_id"], row["tournament_id"]): row["player_id"] for row in rows["ref_player_aliases"]
        }

        def person_of(listed: str) -> str:
            """Follow the aliases of an id to the end of their chain."""
            return person_of(aliases[listed, ""]) if (listed, "") in aliases else listed

        for pair, are_one in self.pairs.items():
            people = {person_of(listed) for listed in pair}
            demand((len(people) == 1) == are_one, f"a decision is lost: {sorted(pair)} {'merge' * are_one}")
        for (listed, tournament), person in self.splits.items():
            # If the person was merged afterwards, the split follows.
            kept = aliases.get((listed, tournament)) in (person, person_of(person))
            demand(kept, f"a decision is lost: {listed} in {tournament} is {person}")


class Life:
    """A collection in a folder of its own, which does not exist yet."""

    def __init__(self, warehouse: Warehouse, folder: Path) -> None:
        self._warehouse, self._folder = warehouse, folder
        self.seeds = folder / "seeds"
        self._decisions = Decisions()
        # The state before and after each change that can be undone.
        self._changes: list[tuple[dict[str, str], Decisions, dict[str, str]]] = []
        folder.mkdir(parents=True)

    def take(self, step: Run) -> str:
        """Take a step; return ACCEPTED, PARTLY or REFUSED.

        Raises:
            BrokenPromise: when a promise is broken.
        """
        words = step.words(self._folder / "documents", self.seeds)
        before, rows, decisions = contents(self.seeds), read_collection(self.seeds), copy.deepcopy(self._decisions)
        held = _held_facts(self.seeds) if step.command == "import" else {}
        code, told = _done(words)
        after = contents(self.seeds)
        # Of several files the valid ones are imported.
        several = step.kind == "import several" or len(step.files) > 2
        outcome = ACCEPTED if code == 0 else PARTLY if several and before != after else REFUSED
        demand(outcome != REFUSED or before == after, f"refused, and the collection changed\n{told}")
        demand(not list(self._folder.glob("*.staged")), "a staged collection was left behind")
        if step.command == "undo":
            # Only the last change, whole and once; not without it, and not over manual changes since then.
            can_undo = bool(self._changes) and self._changes[-1][2] == before
            demand((outcome == ACCEPTED) == can_undo, f"undo: {outcome}\n{told}")
            if can_undo:
                was, self._decisions, _ = self._changes.pop()
                demand(after == was, "not undone whole")
        elif outcome != REFUSED:
            self._decisions.decide(step)
            if before != after:
                self._changes = [*self._changes, (before, decisions, after)][-KEPT_CHANGES:]
        if before != after and after:
            self._check_collection()
            if step.command == "import":
                now = _held_facts(self.seeds)
                _check_kept(rows, read_collection(self.seeds), held, now, replace="--replace" in words)
        if outcome == ACCEPTED and step.command == "import" and not several:
            code, told = _done(words)
            demand(code == 0 and contents(self.seeds) == after, f"changed something the second time\n{told}")
        return outcome

    def _check_collection(self) -> None:
        """Check that a refresh passes, and that decisions apply."""
        try:
            self._warehouse.build(self.seeds)
            failing = self._warehouse.failing_tests()
            found = self._warehouse.discrepancies(self.seeds)
        except (duckdb.Error, UserError) as error:
            raise BrokenPromise(f"the build failed: {error}") from error
        demand(not failing, f"data tests failed: {sorted(failing)}")
        demand(not found, "\n".join(["the verification found differences", *map(str, found[:20])]))
        self._decisions.check(read_collection(self.seeds))


def _done(words: list[str]) -> tuple[int, str]:
    """Run a command; return its exit code and output.

    Raises:
        BrokenPromise: when it ended with an unexpected error, or refused without a message.
    """
    done = run_here(*words)
    told = done.stdout + done.stderr
    crashed = "Traceback (most recent call last)" in told or re.search(r"\(\w+\.py:\d+;", done.stderr)
    demand(done.returncode in (0, 1) and not crashed, f"a crash, exit code {done.returncode}\n{told}")
    demand(done.returncode == 0 or "error: " in told or "rejected: " in told, f"refused without a message\n{told}")
    return done.returncode, told


def _held_facts(seeds: Path) -> Held:
    """Return the facts that hold of each tournament with a table, and of each of its results."""
    if not seeds.exists():
        return {}
    with Collection.existing(seeds, changes=False) as collection:
        return {row[:length]: row[length:] for sql, length in _HELD.items() for row in collection.query(sql)}


def _check_kept(before: Rows, after: Rows, held: Held, holds: Held, *, replace: bool) -> None:
    """Check that an import kept every statement, and without `--replace` every fact that held."""
    for seed in _STATED:
        rows = [tuple(row.values()) for row in after[seed]]
        lost = {tuple(row.values()) for row in before.get(seed, [])}.difference(rows)
        demand(not lost, f"an import lost {sorted(lost)} of {seed}")
    for about, facts in held.items():
        kept = replace or all(fact in (None, now) for fact, now in zip(facts, holds[about], strict=True))
        demand(kept, f"an import without --replace changed {about}: {facts} to {holds[about]}")


class _Collections(RuleBasedStateMachine):
    """A collection to which anything may happen, in any order."""

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
        rows = read_collection(self._life.seeds)
        step = make_step(kind, Scene(self._world, rows, self._number, chance_of_step, self._imported))
        note(str(step))
        self._number += 1
        if step.command == "import":
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
        BrokenPromise: when a promise is broken; notes give the shortest story that leads there.
    """
    counts: Counts = Counter()
    machine = type("Collections", (_Collections,), {"warehouse": warehouse, "counts": counts})
    run_state_machine_as_test(
        seeded(seed)(machine),
        settings=settings(
            max_examples=max(1, round(steps / _LIFE)),
            stateful_step_count=min(steps, _LIFE),
            phases=[Phase.generate, Phase.shrink],
            database=None,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
    return counts
