"""Shared by the contenders: their input, their output, and the clock."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb

# The contenders' view of the updates. Update n + 1 of a career has the number after that of update n.
UPDATES = """
    select
        updates.update_number,
        updates.event_number,
        updates.percentile_score,
        updates.tournament_value,
        systems.initial_rating
    from build.intermediate.int_rating_updates as updates
    inner join build.staging.stg_rating_systems as systems on updates.rating_system_id = systems.rating_system_id
"""


@dataclass(frozen=True)
class Race:
    """The input of all contenders.

    Attributes:
        build: the database of a build; read only.
        ledger: the compiled SQL of `int_rating_ledger`.
        history: the compiled SQL of `rating_history`.
        ledger_name: the name of the ledger in `history`.
    """

    build: str
    ledger: str
    history: str
    ledger_name: str

    @classmethod
    def read(cls, path: Path) -> Race:
        """Read the contenders' input from a file."""
        return cls(**json.loads(path.read_text(encoding="utf-8")))


class Course:
    """The way from stored updates to stored ratings: a connection with the databases `build` and `stored`.

    Attributes:
        race: the input.
        connection: reads `build` and writes `stored`.
    """

    def __init__(self, race: Race, stored: Path) -> None:
        self.race = race
        self.connection = duckdb.connect()
        self.connection.execute("set enable_progress_bar = false")
        self.connection.execute(f"attach '{_quoted(race.build)}' as build (read_only)")
        self.connection.execute(f"attach '{_quoted(str(stored))}' as stored")

    def rows(self, sql: str) -> duckdb.DuckDBPyConnection:
        """Query rows of the build, to be fetched as tuples in batches."""
        return self.connection.execute(sql)

    def columns(self, sql: str) -> duckdb.DuckDBPyRelation:
        """Query rows of the build, to be fetched as whole columns."""
        return self.connection.sql(sql)

    def store(self, sql: str, table: str = "ratings", **given: Any) -> None:  # noqa: ANN401 (whatever DuckDB can read)
        """Store the rows of a query, which refers to the keyword arguments by name."""
        for name, rows in given.items():
            self.connection.register(name, rows)
        self.connection.execute(f"create table stored.{table} as {sql}")

    def end(self) -> None:
        """Make sure that the stored rows are in the file, and no work is pending."""
        self.connection.execute("checkpoint stored")
        self.connection.close()


# The work of a contender. If storing is not part of it, it returns a function that stores the ratings, for the comparison.
Contender = Callable[[Course], Callable[[], None] | None]


def run(contender: Contender, race: Race, stored: Path, *, is_checked: bool) -> float:
    """Run a contender.

    Args:
        contender: the work to measure.
        race: its input.
        stored: the database that it writes; created anew.
        is_checked: whether to store its ratings even if storing is not part of the work.

    Returns:
        The seconds from opening the build to the last byte stored.
    """
    with suppress(FileNotFoundError):
        stored.unlink()
    began = time.perf_counter()
    course = Course(race, stored)
    store_later = contender(course)
    if store_later is None:
        course.end()
        return time.perf_counter() - began
    took = time.perf_counter() - began
    if is_checked:
        store_later()
        course.end()
    return took


def _quoted(path: str) -> str:
    return path.replace("'", "''")
