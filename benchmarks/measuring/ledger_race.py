"""Rate a whole history in several ways, from the same stored updates; only ways that agree are timed."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import median

import duckdb

from dippouch.db import attach
from dippouch.errors import UserError
from dippouch.publishing.build import Artefacts
from dippouch.settings import PROJECT
from measuring.costs import in_turns
from measuring.processes import BENCHMARKS, run_alone

ENVIRONMENT = PROJECT / ".venv-benchmark"
# Maximum difference of ratings, in points.
TOLERANCE = 1e-9

NARROW, WIDE, KEPT = "ledger", "history", "kept in memory"


@dataclass(frozen=True)
class Contender:
    """One way to rate.

    Attributes:
        name: its name in `contenders.__main__`.
        title: its description for people.
        output: its result: the narrow ledger, the wide history, or the ratings of the ledger, which it does not store.
    """

    name: str
    title: str
    output: str


CONTENDERS = (
    Contender("copied_history", "copying the finished history: the physical limit", WIDE),
    Contender("copied_ledger", "copying the finished ledger", NARROW),
    Contender("ledger", "this SQL: `int_rating_ledger`", NARROW),
    Contender("numba_ledger", "numba over sorted arrays", NARROW),
    Contender("polars", "polars, tournament after tournament", NARROW),
    Contender("pandas", "pandas, tournament after tournament", NARROW),
    Contender("loop", "Python loop over a dictionary", KEPT),
    Contender("history", "this SQL: `int_rating_ledger`, then `rating_history`", WIDE),
    Contender("numba_history", "numba over sorted arrays, through Arrow", WIDE),
)


@dataclass(frozen=True)
class Run:
    """One run of a contender: wall-clock seconds, and the peak memory of its process."""

    seconds: float
    peak_bytes: int


@dataclass(frozen=True)
class Place:
    """The result of a contender: the median of its seconds, and its peak memory, of all rounds."""

    contender: Contender
    seconds: float
    peak_bytes: int
    fastest: float
    slowest: float


@dataclass(frozen=True)
class LedgerRace:
    """A race over the history of one collection.

    Attributes:
        results: number of updates, and of rows in the ledger.
        players: number of people.
        longest_career: number of tournaments of the most active of them; the recursion takes as many steps.
        rounds: number of runs of each contender.
        places: the results, in the order of CONTENDERS.
    """

    results: int
    players: int
    longest_career: int
    rounds: int
    places: tuple[Place, ...]

    def seconds(self, name: str) -> float:
        """Return the seconds of a contender."""
        return next(place.seconds for place in self.places if place.contender.name == name)


def check_environment() -> Path:
    """Return the interpreter that has the contenders' libraries.

    Raises:
        UserError: when it is not installed.
    """
    python = ENVIRONMENT / "bin" / "python"
    if not python.exists():
        raise UserError(
            f"{python}: no such program; `make .venv-benchmark/benchmark.lock` installs what contenders need"
        )
    return python


def race(seeds: Path, folder: Path, rounds: int, say: Callable[[str], None]) -> LedgerRace:
    """Build a collection up to its history, check that all contenders agree, and run them in turns.

    Args:
        seeds: the collection.
        folder: the folder for the databases.
        rounds: number of runs of each contender.
        say: called with the current step.

    Raises:
        UserError: when the build or a contender fails, or a contender disagrees.
    """
    python = check_environment()
    say("building the history")
    _build_history(seeds, folder)
    race_file = write_race(folder / "build.duckdb", folder / "dbt", folder)
    stored = folder / "stored.duckdb"

    def run(contender: Contender, *, checked: bool = False) -> Run:
        options = ["--checked"] if checked else []
        command: list[str | Path] = [python, "-m", "contenders", contender.name, race_file, stored, *options]
        return Run(**json.loads(run_alone(command, contender.name, {"PYTHONPATH": BENCHMARKS})))

    for contender in CONTENDERS:
        say(f"{contender.name}: does it agree?")
        run(contender, checked=True)
        check_agreement(folder / "build.duckdb", stored, contender)
    runs = in_turns({contender.name: partial(run, contender) for contender in CONTENDERS}, rounds, say)
    places = (_place(contender, runs[contender.name]) for contender in CONTENDERS)
    stored.unlink()
    return LedgerRace(*_extent(folder / "build.duckdb"), rounds, tuple(places))


def _build_history(seeds: Path, folder: Path) -> None:
    """Build the contenders' input, and the rows to compare them with."""
    folder.mkdir(parents=True, exist_ok=True)
    dbt = Path(sys.executable).with_name("dbt")
    places = ("--target-path", folder / "dbt", "--log-path", folder / "dbt" / "logs")
    select = ("--select", "+rating_history", "--exclude-resource-type", "test", "unit_test")
    settings = {"DPTR_SEEDS": seeds.resolve(), "DPTR_WAREHOUSE": folder.resolve()}
    run_alone([dbt, "--quiet", "build", *select, *places], "the build of the history", settings)


def write_race(build: Path, artefacts: Path, folder: Path) -> Path:
    """Write the input of the contenders to a file: `contenders.race.Race`.

    Args:
        build: the database of a build.
        artefacts: the folder of the SQL that dbt compiled for it.
        folder: the folder for the file.
    """
    compiled = Artefacts.load(artefacts)
    assert compiled is not None
    ledger, history = (compiled.nodes[f"model.dip_pouch.{name}"] for name in ("int_rating_ledger", "rating_history"))
    assert ledger["relation_name"] in history["compiled_code"]
    given = {
        "build": str(build),
        "ledger": ledger["compiled_code"],
        "history": history["compiled_code"],
        "ledger_name": ledger["relation_name"],
    }
    path = folder / "race.json"
    path.write_text(json.dumps(given), encoding="utf-8")
    return path


def check_agreement(build: Path, stored: Path, contender: Contender) -> None:
    """Compare the rows that a contender stored with those of the build.

    Raises:
        UserError: when a row is missing or additional, or a rating differs by more than TOLERANCE.
    """
    expected, key = ("build.marts.rating_history", "rating_system_id, player_id, event_number")
    if contender.output != WIDE:
        expected, key = ("build.intermediate.int_rating_ledger", "update_number")
    with duckdb.connect() as connection:
        attach(connection, build, "build")
        attach(connection, stored, "stored")
        columns = connection.execute(f"describe {expected}").fetchall()
        ratings = {name for name, *_ in columns if name.startswith("rating_") and name != "rating_system_id"}
        # Missing values and NaN agree with nothing.
        differs = [
            f"not coalesce(abs(expected.{name} - found.{name}) <= {TOLERANCE}, false)"
            if name in ratings
            else f"expected.{name} is distinct from found.{name}"
            for name, *_ in columns
        ]
        (rows, different) = connection.execute(
            f"select count(*), count(*) filter (where {' or '.join(differs)})"
            f" from {expected} as expected full join stored.ratings as found using ({key})"
        ).fetchone() or (0, 0)
    if different or not rows:
        raise UserError(
            f"{contender.name} ({contender.title}): found {different:,} of {rows:,} rows that differ from {expected};"
            f" expected the same rows, and ratings within {TOLERANCE:g}. Nothing was timed"
        )


def _place(contender: Contender, runs: Sequence[Run]) -> Place:
    seconds = [run.seconds for run in runs]
    return Place(contender, median(seconds), max(run.peak_bytes for run in runs), min(seconds), max(seconds))


def _extent(build: Path) -> tuple[int, int, int]:
    with duckdb.connect() as connection:
        attach(connection, build, "build")
        found = connection.execute(
            "select count(*), count(*) filter (where event_number = 1), max(event_number) from build.intermediate.int_rating_updates"
        ).fetchone()
    assert found is not None
    return found
