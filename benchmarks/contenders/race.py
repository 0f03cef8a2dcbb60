"""What contenders have in common: where they read and where they store, and the clock."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb

# What a contender reads of the updates. Event n + 1 of a career has the update number behind that of event n.
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
    """What all contenders are given.

    Attributes:
        build: the database of a build; read only.
        ledger: the compiled SQL of `int_rating_ledger`.
        history: the compiled SQL of `rating_history`.
        ledger_name: how `history` names the ledger.
    """

    build: str
    ledger: str
    history: str
    ledger_name: str

    @classmethod
    def read(cls, path: Path) -> Race:
        """Read what was written for the contenders."""
        return cls(**json.loads(path.read_text(encoding="utf-8")))


class Course:
    """The way from the stored updates to the stored ratings: a connection with the databases `build` and `stored`.

    Attributes:
        race: what is given.
        connection: reads the one and writes the other.
    """

    def __init__(self, race: Race, stored: Path) -> None:
        self.race = race
        self.connection = duckdb.connect()
        self.connection.execute("set enable_progress_bar = false")
        self.connection.execute(f"attach '{_quoted(race.build)}' as build (read_only)")
        self.connection.execute(f"attach '{_quoted(str(stored))}' as stored")

    def rows(self, sql: str) -> duckdb.DuckDBPyConnection:
        """Ask for rows of the build, to be fetched as tuples, some at a time."""
        return self.connection.execute(sql)

    def columns(self, sql: str) -> duckdb.DuckDBPyRelation:
        """Ask for rows of the build, to be fetched as whole columns."""
        return self.connection.sql(sql)

    def store(self, sql: str, table: str = "ratings", **given: Any) -> None:  # noqa: ANN401 (whatever DuckDB can read)
        """Store the rows of a query, which names what is `given`."""
        for name, rows in given.items():
            self.connection.register(name, rows)
        self.connection.execute(f"create table stored.{table} as {sql}")

    def end(self) -> None:
        """Make sure that what was stored is in the file, and nothing is left to do."""
        self.connection.execute("checkpoint stored")
        self.connection.close()


# What a contender does; it may give back how to store what it found, for those that are not asked to store it.
Contender = Callable[[Course], Callable[[], None] | None]


def run(contender: Contender, race: Race, stored: Path, *, is_checked: bool) -> float:
    """Run a contender.

    Args:
        contender: what is measured.
        race: what it is given.
        stored: the database that it writes; made new.
        is_checked: whether its ratings must be there afterwards, even where storing them is no part of the work.

    Returns:
        How long it took from opening the build to the last byte stored, in seconds.
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
