"""Rate a whole history in several ways, from the same stored updates; only ways that agree are timed."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

import duckdb

from dippouch.db import attach
from dippouch.messages import UserError
from dippouch.settings import PROJECT
from processes import run_alone

PYTHON = PROJECT / ".venv-benchmark" / "bin" / "python"
PROGRAM = PROJECT / "benchmarks" / "contenders.py"
# Maximum difference of ratings, in points.
TOLERANCE = 1e-9
# The functions of contenders.py: what each stores or keeps, and its description for people.
CONTENDERS = {
    "copied_history": ("history", "copying the finished history: the physical limit"),
    "copied_ledger": ("ledger", "copying the finished ledger"),
    "ledger": ("ledger", "this SQL: `int_rating_ledger`"),
    "numba_ledger": ("ledger", "numba over sorted arrays"),
    "polars": ("ledger", "polars, tournament after tournament"),
    "pandas": ("ledger", "pandas, tournament after tournament"),
    "loop": ("kept in memory", "Python loop over a dictionary"),
    "history": ("history", "this SQL: `int_rating_ledger`, then `rating_history`"),
    "numba_history": ("history", "numba over sorted arrays, through Arrow"),
}

# A measured history: its sizes, and a list of places with the figures of each contender.
Race = dict[str, Any]


def race(seeds: Path, folder: Path, rounds: int, say: Callable[[str], None]) -> Race:
    """Build a collection up to its history, check that all contenders agree, and run them in turns.

    Args:
        seeds: the collection.
        folder: the folder for the databases.
        rounds: number of runs of each contender.
        say: called with the current step.

    Raises:
        UserError: when a contender's library is missing, the build or a contender fails, or a contender disagrees.
    """
    if not PYTHON.exists():
        raise UserError(
            f"{PYTHON}: no such program; `make .venv-benchmark/benchmark.lock` installs what contenders need"
        )
    say("building the history")
    folder.mkdir(parents=True, exist_ok=True)
    dbt = Path(sys.executable).with_name("dbt")
    places = ("--target-path", folder / "dbt", "--log-path", folder / "dbt" / "logs")
    select = ("--select", "+rating_history", "--exclude-resource-type", "test", "unit_test")
    run_alone([dbt, "--quiet", "build", *select, *places], {"DPTR_SEEDS": seeds, "DPTR_WAREHOUSE": folder})
    build, stored = folder / "build.duckdb", folder / "stored.duckdb"
    given = write_race(build, folder / "dbt", folder)
    runs: dict[str, list[dict[str, float]]] = {name: [] for name in CONTENDERS}
    # The first run is not timed. In turns, a slow minute of the machine affects all.
    for number in range(rounds + 1):
        for name in CONTENDERS:
            say(f"{name}, round {number} of {rounds}" if number else f"{name}: does it agree?")
            run = run_contender(name, given, stored)
            if number:
                runs[name].append(run)
            else:
                check_agreement(build, stored, name)
    with duckdb.connect() as connection:
        attach(connection, build, "build")
        (extent,) = connection.execute(
            "select count(*), count(*) filter (where event_number = 1), max(event_number)"
            " from build.intermediate.int_rating_updates"
        ).fetchall()
    found = dict(zip(("results", "players", "longest_career"), extent, strict=True))
    return found | {"rounds": rounds, "places": [_place(name, runs[name]) for name in CONTENDERS]}


def run_contender(name: str, given: Path, stored: Path) -> dict[str, float]:
    """Run a contender once; return its CPU seconds, elapsed seconds and peak memory."""
    found: dict[str, float] = json.loads(run_alone([PYTHON, PROGRAM, name, given, stored]).output.splitlines()[-1])
    return found


def write_race(build: Path, artefacts: Path, folder: Path) -> Path:
    """Write the input of the contenders to a file: the database of a build, and the SQL that dbt compiled for it."""
    nodes = json.loads((artefacts / "manifest.json").read_text(encoding="utf-8"))["nodes"]
    ledger, history = (nodes[f"model.dip_pouch.{name}"] for name in ("int_rating_ledger", "rating_history"))
    assert ledger["relation_name"] in history["compiled_code"]
    given = {"build": str(build), "ledger_name": ledger["relation_name"]}
    path = folder / "race.json"
    sql = {"ledger": ledger["compiled_code"], "history": history["compiled_code"]}
    path.write_text(json.dumps(given | sql), encoding="utf-8")
    return path


def check_agreement(build: Path, stored: Path, name: str) -> None:
    """Compare the rows that a contender stored with those of the build.

    Raises:
        UserError: when a row is missing or additional, or a rating differs by more than TOLERANCE.
    """
    expected, key = "build.intermediate.int_rating_ledger", "update_number"
    if CONTENDERS[name][0] == "history":
        expected, key = "build.marts.rating_history", "rating_system_id, player_id, event_number"
    with duckdb.connect() as connection:
        attach(connection, build, "build")
        attach(connection, stored, "stored")
        # Missing values and NaN agree with nothing.
        differs = [
            f"not coalesce(abs(expected.{column} - found.{column}) <= {TOLERANCE}, false)"
            if column in {"rating_before", "rating_change", "rating_after"}
            else f"expected.{column} is distinct from found.{column}"
            for column, *_ in connection.execute("describe stored.ratings").fetchall()
        ]
        ((rows, different),) = connection.execute(
            f"select count(*), count(*) filter (where {' or '.join(differs)})"
            f" from {expected} as expected full join stored.ratings as found using ({key})"
        ).fetchall()
    if different or not rows:
        raise UserError(
            f"{name}: found {different:,} of {rows:,} rows that differ from {expected}; expected the same rows, and"
            f" ratings within {TOLERANCE:g}. Nothing was timed"
        )


def _place(name: str, runs: list[dict[str, float]]) -> dict[str, Any]:
    seconds = [run["cpu_seconds"] for run in runs]
    output, title = CONTENDERS[name]
    return {
        "name": name,
        "output": output,
        "title": title,
        "cpu_seconds": median(seconds),
        "fastest": min(seconds),
        "slowest": max(seconds),
        "seconds": median(run["seconds"] for run in runs),
        "peak_bytes": max(run["peak_bytes"] for run in runs),
    }
