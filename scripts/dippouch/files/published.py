"""The published database as the files are made from it: what it was made from, and rows of it, a few at a time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, fields
from datetime import date
from operator import itemgetter
from pathlib import Path
from typing import Any

import duckdb

from dippouch.db import literal, reading
from dippouch.groups import Groups

# DuckDB may take this much, in MB, and as much as the file has where that is more; what does not fit is on the disk meanwhile.
_MEMORY = 100
_CHUNK = 2048


@dataclass(frozen=True)
class Publication:
    """What a publication was made from, and how much it has. Nothing in it is a time."""

    seeds_sha256: str | None
    code_version: str | None
    tournaments: int
    players: int
    results: int
    last_tournament_id: str | None
    last_tournament_name: str | None
    last_tournament_ended_on: date | None

    def is_same(self, other: Publication | None) -> bool:
        """Whether another one was made by the same code from the same seeds; no, where one does not say so."""
        if other is None or self.seeds_sha256 is None:
            return False
        return (self.seeds_sha256, self.code_version) == (other.seeds_sha256, other.code_version)

    def as_facts(self) -> dict[str, Any]:
        """The publication as JSON has it."""
        ended_on = self.last_tournament_ended_on
        return asdict(self) | {"last_tournament_ended_on": ended_on.isoformat() if ended_on else None}


@contextmanager
def opened(database: Path, spill: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    """A published database, attached as `published` to a connection that is made for writing files.

    Args:
        database: the published database.
        spill: a folder for what does not fit into memory.

    Raises:
        UserError: when there is no such database, or an older version of the project published it.
    """
    with reading(database) as connection:
        memory = max(_MEMORY, database.stat().st_size // 1_000_000)
        connection.execute(f"set memory_limit = '{memory}MB'")
        # More than one would finish parts of a file in any order.
        connection.execute("set threads = 1")
        connection.execute(f"set temp_directory = {literal(spill)}")
        yield connection


def read_publication(connection: duckdb.DuckDBPyConnection, database: str = "published") -> Publication:
    """What an attached database was made from.

    Raises:
        duckdb.Error: when it does not say so.
    """
    columns = ", ".join(field.name for field in fields(Publication))
    ((*values,),) = connection.execute(f"select {columns} from {database}.marts.publication").fetchall()
    return Publication(*values)


def read_settings(connection: duckdb.DuckDBPyConnection) -> dict[str, Any]:
    """The settings of the collection, by name."""
    cursor = connection.execute("from published.marts.settings")
    names = [column[0] for column in cursor.description or ()]
    return dict(zip(names, cursor.fetchall()[0], strict=True))


def rows(
    connection: duckdb.DuckDBPyConnection, sql: str, parameters: Mapping[str, object] | None = None
) -> Iterator[tuple[Any, ...]]:
    """The rows of a query; several of them can be read in turns."""
    # The parameters that a query does not name are not for it.
    named = {name: value for name, value in (parameters or {}).items() if f"${name}" in sql}
    cursor = connection.cursor().execute(sql, named)
    while chunk := cursor.fetchmany(_CHUNK):
        yield from chunk


def texts(ordered: Iterator[tuple[Any, ...]]) -> Groups[str]:
    """The texts of rows of a key and a text, in groups of equal keys.

    Args:
        ordered: the rows, in the order of the key.
    """
    return Groups(ordered, key=itemgetter(0), value=itemgetter(1))
