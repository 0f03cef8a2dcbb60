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
    collections: Mapping[str, tuple[int | None, Path]],
    folder: Path,
    rounds: int,
    say: Callable[[str], None],
    *,
    again: Mapping[str, Path] | None = None,
    before: Mapping[str, tuple[Path, Path]] | None = None,
) -> list[Refreshes]:
    """Refresh some collections in turns, each time into an empty folder, or once more into the same one.

    Args:
        collections: how many results (see `Refreshes`), and the seeds, by name.
        folder: where the databases go; nothing stays there.
        rounds: how often; what has more than a million results once.
        say: called with what is under way.
        again: the seeds of what is measured when it is refreshed a second time, by name.
        before: another checkout, with an environment of its own, and the seeds that it refreshes a second time for comparison, by name.

    Raises:
        UserError: when a refresh fails.
    """
    warehouse = folder / "warehouse"
    works = {name: partial(_refresh, name, seeds, warehouse) for name, (_, seeds) in collections.items()}
    works |= {name: partial(_refresh, name, seeds, warehouse, times=2) for name, seeds in (again or {}).items()}
    for name, (checkout, seeds) in (before or {}).items():
        works[name] = partial(_refresh_of_checkout, name, checkout, seeds, warehouse)
    large = [name for name, (results, _) in collections.items() if (results or 0) > _ONCE_ABOVE]
    found = in_turns(works, rounds, say, once=large)
    return [Refreshes(name, collections.get(name, (None,))[0], tuple(refreshes)) for name, refreshes in found.items()]


def _refresh(name: str, seeds: Path, warehouse: Path, *, times: int = 1) -> Refresh:
    command: list[str | Path] = [sys.executable, "-m", "measuring.staged_refresh", seeds, warehouse]
    for _ in range(times):
        began = time.perf_counter()
        printed = run_alone(command, f"the refresh of {name}", {"PYTHONPATH": f"{BENCHMARKS}:{SCRIPTS}"})
        whole = time.perf_counter() - began
    steps = json.loads((warehouse / "dbt" / "run_results.json").read_text(encoding="utf-8"))
    found = put_together(whole, json.loads(printed), steps)
    shutil.rmtree(warehouse)
    return found


def _refresh_of_checkout(name: str, checkout: Path, seeds: Path, warehouse: Path) -> Refresh:
    command: list[str | Path] = [
        checkout / ".venv" / "bin" / "python",
        checkout / "scripts" / "refresh_rankings.py",
        "--top",
        "0",
    ]
    for _ in range(2):
        began = time.perf_counter()
        run_alone(command, f"the refresh of {name}", {"DPTR_SEEDS": seeds, "DPTR_WAREHOUSE": warehouse})
        whole = time.perf_counter() - began
    shutil.rmtree(warehouse)
    return Refresh(whole, {}, 0.0, 0, 0, ())


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
