"""Open DuckDB files for reading, and quote text for SQL."""

import glob
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import duckdb

from dippouch.messages import UserError

# The oldest storage format with every feature that the marts need. DuckDB 1.4 LTS, which many BI tools bring, opens it.
STORAGE_VERSION = "v1.4.0"
# The default schema holds the views with plain names.
_PUBLISHED_SCHEMAS = frozenset({"main", "marts", "presentation"})

# Errors of queries that are not about the query: another version published the database, or it is damaged.
_OF_FILE = (
    duckdb.CatalogException, duckdb.BinderException, duckdb.IOException, duckdb.FatalException, duckdb.InternalException
)  # fmt: skip

_CHUNK = 5000
# A row of an answer, by column name.
DatabaseRow = dict[str, Any]


def literal(value: str | Path) -> str:
    """Quote a text or a path as a literal of SQL."""
    return "'" + str(value).replace("'", "''") + "'"


def read_literal(path: Path) -> str:
    """Quote the path of a file to read: DuckDB takes * ? [ in it for a pattern of paths."""
    return literal(glob.escape(str(path)))


def attach(connection: duckdb.DuckDBPyConnection, path: Path, name: str) -> None:
    """Attach a database to a connection, read-only.

    Raises:
        duckdb.Error: when DuckDB cannot read the file as a database.
    """
    connection.execute(f"attach {literal(path)} as {name} (read_only)")


def copy_marts(
    connection: duckdb.DuckDBPyConnection, source: str, file: Path, *, where: Mapping[str, str], options: str = ""
) -> None:
    """Copy the tables of `marts` with functions and views from an attached database into a new file.

    `where` has filters of tables, `options` are further ones of `attach`. Definitions come first, with every comment, because
    `create table as` would lose constraints. Functions and views name tables as `marts.players`, so the database may have any name.

    Raises:
        duckdb.Error: when the file cannot be written.
    """
    connection.execute(f"attach {literal(file)} as candidate (storage_version '{STORAGE_VERSION}'{options})")
    connection.execute(f"copy from database {source} to candidate (schema)")
    schemas = connection.execute("select schema_name from duckdb_schemas() where database_name = 'candidate'")
    for (schema,) in schemas.fetchall():
        if schema not in _PUBLISHED_SCHEMAS:
            connection.execute(f'drop schema candidate."{schema}" cascade')
    tables = connection.execute("select table_name from duckdb_tables() where database_name = 'candidate' order by all")
    for (name,) in tables.fetchall():
        connection.execute(f'insert into candidate.marts."{name}" from {source}.marts."{name}" {where.get(name, "")}')
    connection.execute("checkpoint candidate")
    connection.execute("detach candidate")


@contextmanager
def reading(database: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    """Open a connection in memory that has a published database attached as `published`, read-only.

    Opening the file by name would return an old publication as long as another connection of this process has that one open.

    Raises:
        UserError: when the file does not exist, or as `unreadable` says.
    """
    # A read of anything else, such as a pipe, would wait forever.
    if not database.is_file():
        raise UserError(f"{database}: no such database; `dptr refresh` publishes it")
    with duckdb.connect() as connection:
        try:
            attach(connection, database, "published")
        except duckdb.Error as error:
            raise unreadable(database, error) from None
        try:
            yield connection
        except _OF_FILE as error:
            raise unreadable(database, error) from error


def unreadable(database: Path, error: Exception) -> UserError:
    """Return the error for a published database that DuckDB cannot read, or that lacks a table or a column of this version."""
    # DuckDB names the program that has the file open for writing.
    return UserError(
        f"{database}: cannot be read ({str(error).splitlines()[0]}); expected a DuckDB database that this version of the project"
        " published and no program writes into. Close it there or open it there with read_only; `dptr refresh` publishes it again"
    )


def rows_of(cursor: duckdb.DuckDBPyConnection) -> Iterator[DatabaseRow]:
    """Yield the rows of an executed query, fetched a few at a time."""
    names = [column[0] for column in cursor.description or ()]
    while chunk := cursor.fetchmany(_CHUNK):
        yield from (dict(zip(names, row, strict=True)) for row in chunk)


def query(database: Path, sql: str, values: Sequence[object] | Mapping[str, object] = ()) -> list[DatabaseRow]:
    """Run a query in a published database; return its rows.

    Raises:
        UserError: when the database cannot be read, as in `reading`.
    """
    with reading(database) as connection:
        connection.execute("use published")
        return list(rows_of(connection.execute(sql, values)))
