"""Opening a DuckDB file as a reader does, and writing text into SQL."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import duckdb

from dippouch.errors import UserError

# A row of an answer, by the names of its columns.
Row = dict[str, Any]


def literal(value: str | Path) -> str:
    """A text or a path as a literal of SQL."""
    return "'" + str(value).replace("'", "''") + "'"


def attach(connection: duckdb.DuckDBPyConnection, path: Path, name: str) -> None:
    """Attach a database to a connection, for reading only.

    Raises:
        duckdb.Error: when it cannot be read as a DuckDB database.
    """
    connection.execute(f"attach {literal(path)} as {name} (read_only)")


@contextmanager
def reading(database: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    """A connection that has a published database attached as `published`, for reading only.

    The connection itself is in memory: one that opened the file by name would see an old publication for as long as
    another connection of this process has that open.

    Raises:
        UserError: when there is no such file, it is not a DuckDB database, a program has it open for writing, or what reads it
            asks for a table or column that it does not have.
    """
    # Anything else, such as a pipe, would have to be waited for.
    if not database.is_file():
        raise UserError(f"{database}: no such database; `make rankings` publishes it")
    with duckdb.connect() as connection:
        try:
            attach(connection, database, "published")
        except duckdb.Error as error:
            if program := named_writer(error):
                raise written_elsewhere(database, program) from None
            raise UserError(f"{database}: cannot be read as a DuckDB database: {error}") from None
        try:
            yield connection
        except (duckdb.CatalogException, duckdb.BinderException) as error:
            raise UserError(
                f"{database}: found a database that another version of this project published ({first_line(error)}); expected all"
                " tables of this version. `make rankings` publishes it again"
            ) from error
        except (duckdb.IOException, duckdb.FatalException, duckdb.InternalException) as error:
            raise UserError(f"{database}: could not be read to the end ({first_line(error)})") from error


def query(database: Path, sql: str, values: Sequence[object] | Mapping[str, object] = ()) -> list[Row]:
    """The rows that a published database gives for a query, each with its values by column.

    Raises:
        UserError: when the database cannot be read, as in `reading`.
    """
    with reading(database) as connection:
        connection.execute("use published")
        cursor = connection.execute(sql, values)
        names = [column[0] for column in cursor.description or ()]
        return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]


def named_writer(error: duckdb.Error) -> str | None:
    """The program that has a database open for writing, where that is why DuckDB could not open it."""
    found = re.search(r"lock is held in (.+?)\. See also", str(error))
    return found[1] if found else None


def written_elsewhere(database: Path, program: str) -> UserError:
    """The error for a database that another program has open for writing."""
    return UserError(
        f"{database}: found it open for writing in {program}; expected that nothing writes into it."
        " Close it there, then run this again; open it with read_only, and it is in nobody's way"
    )


def first_line(error: duckdb.Error) -> str:
    """What DuckDB says, without the place in the query."""
    return str(error).splitlines()[0]
