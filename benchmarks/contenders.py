"""Ways to rate a whole history, from the stored updates of a build to stored ratings: `contenders.py NAME RACE STORED`.

It runs in the environment of `requirements/benchmark.lock`, and knows only the names of the project's tables. It prints
CPU seconds, elapsed seconds and peak memory as JSON. Every contender loads its library and compiles its code before the clock starts.
"""

from __future__ import annotations

import json
import re
import sys
import time
from array import array
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb

# The contenders' view of the updates. Update n + 1 of a career has the number after that of update n.
UPDATES = """
    select update_number, event_number, percentile_score, tournament_value, starting_rating
    from build.intermediate.int_rating_updates
"""
_FIGURES = ("percentile_score", "tournament_value", "starting_rating")
_BATCH = 100_000
# The columns of the history that follow from the ledger and the updates.
_HISTORY = (
    "rating_system_id, player_id, event_number, tournament_id, ended_on, placement, players, percentile_score, tournament_value,"
    " rating_before, rating_change, rating_after"
)


class Course:
    """The way from stored updates to stored ratings: a connection with the databases `build` and `stored`, and the clock."""

    def __init__(self, race: dict[str, str], stored: Path) -> None:
        self.race = race
        stored.unlink(missing_ok=True)
        self._began = time.perf_counter()
        self._cpu_began = time.process_time()
        self.seconds = self.cpu_seconds = 0.0
        self.connection = duckdb.connect()
        self.connection.execute("set enable_progress_bar = false")
        self.connection.execute(f"attach '{race['build']}' as build (read_only); attach '{stored}' as stored")

    def store(self, sql: str, table: str = "ratings", **given: Any) -> None:  # noqa: ANN401 (whatever DuckDB can read)
        """Store the rows of a query, which refers to the keyword arguments by name."""
        for name, rows in given.items():
            self.connection.register(name, rows)
        self.connection.execute(f"create table stored.{table} as {sql}")

    def stop(self) -> None:
        """Stop the clock if it runs, after the stored rows are in the file."""
        if not self.seconds:
            self.connection.execute("checkpoint stored")
            self.seconds = time.perf_counter() - self._began
            self.cpu_seconds = time.process_time() - self._cpu_began


Work = Callable[[Course], None]


def copied_ledger() -> Work:
    """Copy the finished ledger: storing the same rows cannot be faster."""
    return lambda course: course.store("from build.intermediate.int_rating_ledger")


def copied_history() -> Work:
    """Copy the finished history."""
    return lambda course: course.store(f"select {_HISTORY} from build.marts.rating_history")


def ledger() -> Work:
    """Run the ledger as dbt compiled it."""
    return lambda course: course.store(course.race["ledger"])


def history() -> Work:
    """Run the ledger, and the history made from it, as dbt compiled them."""

    def work(course: Course) -> None:
        course.store(course.race["ledger"], "ledger")
        sql = course.race["history"].replace(course.race["ledger_name"], "stored.ledger")
        course.store(f"select {_HISTORY} from ({sql})")

    return work


def loop() -> Work:
    """Rate in a dictionary, result after result in the order of play, as in most rating projects.

    The time excludes storing, and batches keep the rows of a large history out of memory: both favour the loop.
    """

    def work(course: Course) -> None:
        ratings: dict[tuple[str, str], float] = {}
        numbers, before, after = array("i"), array("d"), array("d")
        rows = course.connection.execute(
            "select update_number, rating_system_id, player_id, percentile_score, tournament_value, starting_rating"
            " from build.intermediate.int_rating_updates order by ended_on, event_number, update_number"
        )
        while batch := rows.fetchmany(_BATCH):
            for number, system, player, percentile, value, initial in batch:
                rating = ratings.get((system, player), initial)
                numbers.append(number)
                before.append(rating)
                rating += value / 100 * (percentile - rating)
                after.append(rating)
                ratings[system, player] = rating
        course.stop()
        import numpy as np

        columns = zip(("update_number", "rating_before", "rating_after"), (numbers, before, after), strict=True)
        course.store("from found", found={name: np.array(column) for name, column in columns})

    return work


def polars() -> Work:
    """Rate the first tournament of all players at once, then the second, like the recursion."""
    import polars as pl

    def work(course: Course) -> None:
        change = pl.col("tournament_value") / 100 * (pl.col("percentile_score") - pl.col("rating_before"))
        # The number before a career's first update identifies the career.
        career = (pl.col("update_number") - pl.col("event_number")).alias("career")
        updates = course.connection.sql(UPDATES).pl().with_columns(career)
        steps: list[pl.DataFrame] = []
        for step in updates.sort("event_number").partition_by("event_number", maintain_order=True):
            if steps:
                ratings = steps[-1].select("career", rating_before="rating_after")
                rated = step.join(ratings, on="career", how="inner")
            else:
                rated = step.with_columns(rating_before=pl.col("starting_rating"))
            rated = rated.with_columns(rating_after=pl.col("rating_before") + change)
            steps.append(rated.select("career", "update_number", "rating_before", "rating_after"))
        course.store("select * exclude (career) from rated", rated=pl.concat(steps).to_arrow())

    return work


def pandas() -> Work:
    """Do the same with pandas."""
    import pandas as pd

    def work(course: Course) -> None:
        updates = course.connection.sql(UPDATES).df()
        updates["career"] = updates["update_number"] - updates["event_number"]
        rating = pd.Series(dtype="float64")
        steps = []
        for event_number, step in updates.groupby("event_number"):
            before = step["starting_rating"] if event_number == 1 else step["career"].map(rating)
            after = before + step["tournament_value"] / 100 * (step["percentile_score"] - before)
            rating = pd.Series(after.to_numpy(), index=step["career"])
            rated = {"update_number": step["update_number"], "rating_before": before, "rating_after": after}
            steps.append(pd.DataFrame(rated))
        course.store("from rated", rated=pd.concat(steps, ignore_index=True))

    return work


def _compiled() -> Callable[[dict[str, Any]], tuple[Any, Any]]:
    """Return a loop over sorted columns as machine code: about the limit of one core, once the rows are in memory."""
    import numba
    import numpy as np

    def rate(event_number: Any, percentile: Any, value: Any, initial: Any) -> tuple[Any, Any]:  # noqa: ANN401 (arrays)
        before, after = np.empty(len(percentile)), np.empty(len(percentile))
        rating = 0.0
        for number in range(len(percentile)):
            if event_number[number] == 1:
                rating = initial[number]
            before[number] = rating
            rating += value[number] / 100 * (percentile[number] - rating)
            after[number] = rating
        return before, after

    numbers, doubles = (numba.types.Array(kind, 1, "C", readonly=True) for kind in (numba.i4, numba.f8))
    compiled = numba.njit((numbers, doubles, doubles, doubles))(rate)

    def of_columns(columns: Any) -> tuple[Any, Any]:  # noqa: ANN401 (arrays by name)
        figures = (np.ascontiguousarray(columns[name], dtype=np.float64) for name in _FIGURES)
        before, after = compiled(np.ascontiguousarray(columns["event_number"], dtype=np.int32), *figures)
        return before, after

    return of_columns


def numba_ledger() -> Work:
    """Rate with numba from the few required columns, and store the ratings."""
    rate = _compiled()

    def work(course: Course) -> None:
        updates = course.connection.sql(f"{UPDATES} order by update_number").fetchnumpy()
        before, after = rate(updates)
        found = {"update_number": updates["update_number"], "rating_before": before, "rating_after": after}
        course.store("from rated", rated=found)

    return work


def numba_history() -> Work:
    """Rate with numba from all columns of the updates, and store all columns of the history."""
    rate = _compiled()

    def work(course: Course) -> None:
        updates = course.connection.sql(
            "from build.intermediate.int_rating_updates order by update_number"
        ).to_arrow_table()
        before, after = rate({name: updates[name].to_numpy() for name in ("event_number", *_FIGURES)})
        rated = updates.append_column("rating_before", [before]).append_column("rating_after", [after])
        course.store(
            f"select {_HISTORY} from (select *, rating_after - rating_before as rating_change from rated)", rated=rated
        )

    return work


def main(name: str, race: Path, stored: Path) -> None:
    """Run a contender once."""
    work: Work = globals()[name]()
    course = Course(json.loads(race.read_text(encoding="utf-8")), stored)
    work(course)
    course.stop()
    course.connection.close()
    # On Linux `ru_maxrss` would include the memory of the parent process.
    found = re.search(r"^VmHWM:\s+([0-9]+) kB$", Path("/proc/self/status").read_text(encoding="utf-8"), re.MULTILINE)
    peak_bytes = int(found[1]) * 1024 if found else 0
    print(json.dumps({"cpu_seconds": course.cpu_seconds, "seconds": course.seconds, "peak_bytes": peak_bytes}))


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3]))
