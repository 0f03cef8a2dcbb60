"""Open DuckDB files for reading, and quote text for SQL."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import duckdb

from dippouch.errors import UserError

# The oldest storage format with every feature that the marts need. DuckDB 1.4 LTS, which many BI tools bring, opens it.
STORAGE_VERSION = "v1.4.0"
# The default schema holds the views with plain names.
_PUBLISHED_SCHEMAS = frozenset({"main", "marts", "presentation"})

# A row of an answer, by column name.
Row = dict[str, Any]


def literal(value: str | Path) -> str:
    """Quote a text or a path as a literal of SQL."""
    return "'" + str(value).replace("'", "''") + "'"


def attach(connection: duckdb.DuckDBPyConnection, path: Path, name: str) -> None:
    """Attach a database to a connection, read-only.

    Raises:
        duckdb.Error: when DuckDB cannot read the file as a database.
    """
    connection.execute(f"attach {literal(path)} as {name} (read_only)")


def copy_marts(
    connection: duckdb.DuckDBPyConnection, source: str, file: Path, rows: Mapping[str, str], options: str = ""
) -> None:
    """Copy the tables of `marts`, filtered, with functions and views from an attached database into a new file.

    `rows` gives a filter for each table. Definitions come first, with every comment, because `create table as` would lose
    constraints. Functions and views name tables as `marts.players`, so the database may have any name. `options` are
    additional options of `attach`.

    Raises:
        duckdb.Error: when the file cannot be written.
    """
    connection.execute(f"attach {literal(file)} as candidate (storage_version '{STORAGE_VERSION}'{options})")
    connection.execute(f"copy from database {source} to candidate (schema)")
    schemas = connection.execute("select schema_name from duckdb_schemas() where database_name = 'candidate'")
    for (schema,) in schemas.fetchall():
        if schema not in _PUBLISHED_SCHEMAS:
            connection.execute(f'drop schema candidate."{schema}" cascade')
    for name, filtered in rows.items():
        connection.execute(f'insert into candidate.marts."{name}" from {source}.marts."{name}" {filtered}')
    connection.execute("checkpoint candidate")
    connection.execute("detach candidate")


@contextmanager
def reading(database: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    """Open a connection in memory that has a published database attached as `published`, read-only.

    Opening the file by name would return an old publication as long as another connection of this process has that one open.

    Raises:
        UserError: when the file does not exist or is not a DuckDB database, when a program has it open for writing, or when
            a query asks for a table or column that the database lacks.
    """
    # A read of anything else, such as a pipe, would wait forever.
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
            raise of_another_version(database, first_line(error)) from error
        except (duckdb.IOException, duckdb.FatalException, duckdb.InternalException) as error:
            raise UserError(f"{database}: could not be read to the end ({first_line(error)})") from error


def of_another_version(database: Path, lacks: str) -> UserError:
    """Return the error for a published database that lacks a table or a column."""
    return UserError(
        f"{database}: found a database that another version of this project published ({lacks}); expected all tables of this"
        " version. `make rankings` publishes it again"
    )


def query(database: Path, sql: str, values: Sequence[object] | Mapping[str, object] = ()) -> list[Row]:
    """Run a query in a published database; return its rows.

    Raises:
        UserError: when the database cannot be read, as in `reading`.
    """
    with reading(database) as connection:
        connection.execute("use published")
        cursor = connection.execute(sql, values)
        names = [column[0] for column in cursor.description or ()]
        return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]


def named_writer(error: duckdb.Error) -> str | None:
    """Return the program that has a database open for writing, if that is why DuckDB could not open it."""
    found = re.search(r"lock is held in (.+?)\. See also", str(error))
    return found[1] if found else None


def written_elsewhere(database: Path, program: str) -> UserError:
    """Return the error for a database that another program has open for writing."""
    return UserError(
        f"{database}: found it open for writing in {program}; expected no program that writes into it."
        " Close it there and run this again, or open it there with read_only"
    )


def first_line(error: duckdb.Error) -> str:
    """Return DuckDB's message without the position in the query."""
    return str(error).splitlines()[0]
