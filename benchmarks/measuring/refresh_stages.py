"""Durations of the stages of a real refresh: build, tests, verification, publication."""

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

# The kinds of steps of a build, in order.
_KINDS = {"seed": "seeds", "model": "models", "test": "tests"}
# Larger refreshes are not repeated: ten times as many results take a quarter of an hour.
_ONCE_ABOVE = 1_000_000
STAGES = ("check of the seeds", "start and parse", *_KINDS.values(), "verification", "publication", "other")


@dataclass(frozen=True)
class Case:
    """A collection to refresh, each time into an empty folder.

    Attributes:
        seeds: the collection.
        size: its approximate number of results; 0 for few.
        is_of_sizes: whether it belongs to the collections that differ only in size, which can be compared.
        times: number of refreshes in the same folder; the last one is measured.
        memory: DuckDB's memory limit, such as `3GB`; empty for its default.
        checkout: another checkout with an environment of its own to refresh with; it reports only the total duration.
    """

    seeds: Path
    size: int = 0
    is_of_sizes: bool = False
    times: int = 1
    memory: str = ""
    checkout: Path | None = None

    @property
    def results(self) -> int | None:
        """Return the number of results; None if it cannot be compared with others by it."""
        return self.size if self.is_of_sizes else None


@dataclass(frozen=True)
class Step:
    """A step of a build: `seed`, `model` or `test`; its name, its seconds, and its share of all steps."""

    kind: str
    name: str
    seconds: float
    share: float


@dataclass(frozen=True)
class Refresh:
    """One refresh.

    Attributes:
        whole: total seconds.
        stages: seconds by stage; while both of dbt's threads work, `models` and `tests` share the time in proportion.
        build: seconds of dbt, including its start.
        dbt_peak_bytes: peak memory of dbt.
        peak_bytes: peak memory of everything else: checks, verification, publication.
        steps: dbt's steps, slowest first.
    """

    whole: float
    stages: Mapping[str, float]
    build: float
    dbt_peak_bytes: int
    peak_bytes: int
    steps: tuple[Step, ...]

    def dearest(self, kind: str) -> list[Step]:
        """Return the steps of a kind, slowest first."""
        return [step for step in self.steps if step.kind == kind]


@dataclass(frozen=True)
class Refreshes:
    """The refreshes of one collection.

    Attributes:
        collection: its description for people.
        results: its approximate number of results; None unless it is a synthetic collection of one rating system, which can be
            compared with others of its kind.
        refreshes: one per round.
    """

    collection: str
    results: int | None
    refreshes: tuple[Refresh, ...]

    @property
    def typical(self) -> Refresh:
        """Return the refresh of median duration; of an even number, the faster of the middle two."""
        return sorted(self.refreshes, key=lambda refresh: refresh.whole)[(len(self.refreshes) - 1) // 2]

    @property
    def peak_bytes(self) -> int:
        """Return the peak memory of all programs in all refreshes."""
        return max(max(refresh.dbt_peak_bytes, refresh.peak_bytes) for refresh in self.refreshes)


def refresh_in_turns(
    cases: Mapping[str, Case], folder: Path, rounds: int, say: Callable[[str], None]
) -> list[Refreshes]:
    """Refresh several collections in turns.

    Args:
        cases: the collections, by name.
        folder: a folder for the databases, which are deleted afterwards.
        rounds: number of rounds; collections with more than a million results take part in one.
        say: called with the current step.

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
    """Combine the refresh's report with dbt's durations of steps."""
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
    """Return the synthetic collections of one rating system by number of results, from small to large."""
    sizes = {refreshes.results: refreshes for refreshes in found if refreshes.results is not None}
    return dict(sorted(sizes.items()))
