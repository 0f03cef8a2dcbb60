"""What the stages of a refresh take, from a real one: build, tests, verification, publication."""

from __future__ import annotations

import json
import shutil
import sys
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from measuring.costs import in_turns
from measuring.processes import BENCHMARKS, SCRIPTS, run_alone

# What a refresh consists of, in its order.
_KINDS = {"seed": "seeds", "model": "models", "test": "tests"}
# The results of a refresh that is repeated: ten times as many take a quarter of an hour.
_ONCE_ABOVE = 1_000_000
STAGES = ("check of the seeds", "start and parse", *_KINDS.values(), "verification", "publication", "other")


@dataclass(frozen=True)
class Case:
    """What is refreshed, each time into an empty folder.

    Attributes:
        seeds: the collection.
        size: how many results it has, about; 0 for few.
        is_of_sizes: whether it is one of those that differ in their size only, and can be compared by it.
        times: how often it is refreshed in the same folder; the last time is measured.
        memory: what DuckDB takes at most, such as `3GB`; empty for what it takes by itself.
        checkout: another checkout with an environment of its own, which refreshes it, and tells nothing but how long that takes.
    """

    seeds: Path
    size: int = 0
    is_of_sizes: bool = False
    times: int = 1
    memory: str = ""
    checkout: Path | None = None

    @property
    def results(self) -> int | None:
        """How many results it has; None where it cannot be compared with others by that."""
        return self.size if self.is_of_sizes else None


@dataclass(frozen=True)
class Step:
    """A step of a build: `seed`, `model` or `test`; its name, what it took, and which part of all steps that is."""

    kind: str
    name: str
    seconds: float
    share: float


@dataclass(frozen=True)
class Refresh:
    """One refresh.

    Attributes:
        whole: what all of it took, in seconds.
        stages: seconds by stage; `models` and `tests` share the clock while both of dbt's threads work, and get their part of it.
        build: what dbt took, its start included.
        dbt_peak_bytes: the most memory that dbt had.
        peak_bytes: the most memory that everything else had: checks, verification, publication.
        steps: what dbt did, the dearest first.
    """

    whole: float
    stages: Mapping[str, float]
    build: float
    dbt_peak_bytes: int
    peak_bytes: int
    steps: tuple[Step, ...]

    def dearest(self, kind: str) -> list[Step]:
        """The steps of a kind, the dearest first."""
        return [step for step in self.steps if step.kind == kind]


@dataclass(frozen=True)
class Refreshes:
    """The refreshes of one collection.

    Attributes:
        collection: what it is, for people.
        results: how many results it has, about; None where it is no synthetic collection of one rating system, which others of
            its kind can be compared with.
        refreshes: one of each round.
    """

    collection: str
    results: int | None
    refreshes: tuple[Refresh, ...]

    @property
    def typical(self) -> Refresh:
        """The one of median length; of an even number the faster of the two in the middle."""
        return sorted(self.refreshes, key=lambda refresh: refresh.whole)[(len(self.refreshes) - 1) // 2]

    @property
    def peak_bytes(self) -> int:
        """The most memory that any program of any refresh had."""
        return max(max(refresh.dbt_peak_bytes, refresh.peak_bytes) for refresh in self.refreshes)


def refresh_in_turns(
    cases: Mapping[str, Case], folder: Path, rounds: int, say: Callable[[str], None]
) -> list[Refreshes]:
    """Refresh some collections in turns.

    Args:
        cases: what is refreshed, by name.
        folder: where the databases go; nothing stays there.
        rounds: how often; what has more than a million results once.
        say: called with what is under way.

    Raises:
        UserError: when a refresh fails.
    """
    works = {name: partial(_refresh, name, case, folder / "warehouse") for name, case in cases.items()}
    large = [name for name, case in cases.items() if case.size > _ONCE_ABOVE]
    found = in_turns(works, rounds, say, once=large)
    return [Refreshes(name, cases[name].results, tuple(refreshes)) for name, refreshes in found.items()]


def _refresh(name: str, case: Case, warehouse: Path) -> Refresh:
    command: list[str | Path]
    settings: dict[str, str | Path]
    if case.checkout:
        command = [case.checkout / ".venv" / "bin" / "dptr", "refresh", "--top", "0"]
        settings = {"DPTR_SEEDS": case.seeds, "DPTR_WAREHOUSE": warehouse}
    else:
        command = [sys.executable, "-m", "measuring.staged_refresh", case.seeds, warehouse]
        settings = {"PYTHONPATH": f"{BENCHMARKS}:{SCRIPTS}"}
    if case.memory:
        settings["DPTR_MEMORY"] = case.memory
    for _ in range(case.times):
        began = time.perf_counter()
        printed = run_alone(command, f"the refresh of {name}", settings)
        whole = time.perf_counter() - began
    if case.checkout:
        found = Refresh(whole, {}, 0.0, 0, 0, ())
    else:
        steps = json.loads((warehouse / "dbt" / "run_results.json").read_text(encoding="utf-8"))
        found = put_together(whole, json.loads(printed), steps)
    shutil.rmtree(warehouse)
    return found


def put_together(whole: float, told: Mapping[str, Any], steps: Mapping[str, Any]) -> Refresh:
    """What the refresh told, and what dbt wrote of its steps."""
    seconds, elapsed = told["seconds"], steps["elapsed_time"]
    # `model.dip_pouch.rating_history`: the kind of a step, and its name.
    took = {tuple(step["unique_id"].split(".")[::2]): step["execution_time"] for step in steps["results"]}
    work = {stage: sum(spent for (of, *_), spent in took.items() if of == kind) for kind, stage in _KINDS.items()}
    stages = {
        "check of the seeds": seconds["check_seeds"],
        "start and parse": seconds["run_dbt_build"] - elapsed,
        **{stage: elapsed * seconds_of / sum(work.values()) for stage, seconds_of in work.items()},
        "verification": seconds["verify"],
        "publication": seconds["publish"] - seconds["verify"],
    }
    done = [Step(kind, name, spent, spent / elapsed) for (kind, name, *_), spent in took.items() if kind in _KINDS]
    return Refresh(
        whole=whole,
        stages=stages | {"other": whole - sum(stages.values())},
        build=seconds["run_dbt_build"],
        dbt_peak_bytes=told["dbt_peak_bytes"],
        peak_bytes=told["peak_bytes"],
        steps=tuple(sorted(done, key=lambda step: (-step.seconds, step.name))),
    )


def of_sizes(found: Iterable[Refreshes]) -> dict[int, Refreshes]:
    """The synthetic collections of one rating system, by how many results they have, from small to large."""
    sizes = {refreshes.results: refreshes for refreshes in found if refreshes.results is not None}
    return dict(sorted(sizes.items()))
