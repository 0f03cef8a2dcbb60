"""Publishing: the marts of a build become a new file, which takes the place of the old one in one step.

Readers who have the old file open keep it, whole and consistent, until they close it. Nobody ever opens the published
file for writing: its mode says so, too.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import duckdb

from dippouch.changed import say_changed
from dippouch.db import attach, literal
from dippouch.disk import refusal, sync
from dippouch.errors import UserError
from dippouch.publishing.replacing import put_in_place

# The oldest format that carries everything the marts need: DuckDB 1.4 LTS, which many BI tools bring, opens it.
STORAGE_VERSION = "v1.4.0"

_UNTOUCHED = "the last publication is untouched"
# Who may read a file does not change; nobody may write it. Root may all the same.
_READ_ONLY = 0o444


def publish(build: Path, target: Path, check: Callable[[Path], None] = lambda candidate: None) -> list[Path]:
    """Copy the schema `marts` of a build database, tables and functions, into a new file and put it in the place of the published one.

    Args:
        build: the build database; opened for reading.
        target: the published database, replaced in one step.
        check: called with the finished new file before it takes its place; an exception leaves the old file there.

    Returns:
        What somebody's writing left beside the published file, and was moved away.

    Raises:
        UserError: when the build has no marts, a program writes into the published file, or the disk refuses; the published
            file is untouched.
    """
    candidate = target.with_name(f".{target.name}.candidate")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        _remove(candidate)
        _copy_marts(build, candidate)
        candidate.chmod(candidate.stat().st_mode & _READ_ONLY)
        sync(candidate)
        check(candidate)
        moved = _put_in_place(candidate, target)
    except OSError as error:
        raise UserError(f"{target}: could not be published ({refusal(error)}); {_UNTOUCHED}") from error
    except duckdb.Error as error:
        raise UserError(f"{build}: could not be published ({error}); {_UNTOUCHED}") from error
    else:
        say_changed(f"{target} was published")
        return moved
    finally:
        with suppress(OSError):
            _remove(candidate)


def _put_in_place(candidate: Path, target: Path) -> list[Path]:
    try:
        return put_in_place(candidate, target)
    except UserError as error:
        raise UserError(f"{error}; {_UNTOUCHED}") from error


def _copy_marts(build: Path, candidate: Path) -> None:
    with duckdb.connect() as connection:
        attach(connection, build, "build")
        tables = connection.execute(
            "select table_name from duckdb_tables() where database_name = 'build' and schema_name = 'marts' order by table_name"
        ).fetchall()
        if not tables:
            raise UserError(f"{build}: no tables in the schema `marts`; expected a complete build")
        connection.execute(f"attach {literal(candidate)} as candidate (storage_version '{STORAGE_VERSION}')")
        _copy_definitions(connection)
        for (name,) in tables:
            connection.execute(f'insert into candidate.marts."{name}" from build.marts."{name}"')
        connection.execute("use candidate.marts")
        _add_plain_names(connection)
        connection.execute("use memory")
        connection.execute("checkpoint candidate")
        connection.execute("detach candidate")


def _copy_definitions(connection: duckdb.DuckDBPyConnection) -> None:
    """Give the candidate the build's empty tables, functions and views, with all that is said of them, of the schemas that readers need.

    Definitions, not `create table as`: that would lose what may not be null. The catalogue does not tell the defaults of a function's
    parameters either. SQL of functions and views names tables as `marts.players`, whatever the database is called.
    """
    connection.execute("copy from database build to candidate (schema)")
    schemas = connection.execute(
        "select schema_name from duckdb_schemas() where database_name = 'candidate' and schema_name not in ('main', 'marts', 'presentation')"
    ).fetchall()
    for (schema,) in schemas:
        connection.execute(f'drop schema candidate."{schema}" cascade')


# What people read in the place of an id: the column, the id, the table that has it, and how it is written there.
_NAMES = (
    ("player_name", "player_id", "players", "concat_ws(' ', nullif({0}.first_name, ''), nullif({0}.last_name, ''))"),
    ("nation_name", "nation_code", "nations", "{0}.nation_name"),
    ("tournament_name", "tournament_id", "tournaments", "{0}.name"),
)
# These hold systems as rows, and no figures of theirs.
_WITHOUT_FILTER = frozenset(["settings", "rating_systems"])


def _add_plain_names(connection: duckdb.DuckDBPyConnection) -> None:
    """Give people every table under its plain name, names beside the ids, with the rating system that the collection shows first, and no other."""
    tables = connection.execute(
        "select columns.table_name, list(columns.column_name), any_value(tables.comment) from duckdb_columns() as columns"
        " inner join duckdb_tables() as tables on columns.table_oid = tables.table_oid and columns.database_oid = tables.database_oid"
        " where columns.database_name = 'candidate' and columns.schema_name = 'marts' group by all order by all"
    ).fetchall()
    for name, columns, comment in tables:
        has_systems = "rating_system_id" in columns and name not in _WITHOUT_FILTER
        connection.execute(
            f'create view candidate.main."{name}" as {_with_names(name, columns, has_systems=has_systems)}'
        )
        told = f"{comment or ''} Names stand beside ids"
        if has_systems:
            filtered = (
                f"{comment or ''} Has every rating system: filter rating_system_id, or read the view {name} of the schema main,"
                " which has the one shown first."
            )
            connection.execute(f'comment on table candidate.marts."{name}" is {literal(filtered.strip())}')
            told += "; only the rating system shown first"
        connection.execute(f'comment on view candidate.main."{name}" is {literal(told.strip() + ".")}')


def _with_names(table: str, columns: list[str], *, has_systems: bool) -> str:
    """A query of a table, with the names that its ids stand for behind its own columns."""
    names, joins = [], []
    for column, key, named, written in _NAMES:
        # A tournament with its `name` has it.
        if key in columns and column not in columns and not (column == "tournament_name" and "name" in columns):
            names.append(f", {written.format(column)} as {column}")
            joins.append(f'left join marts.{named} as {column} on own."{key}" = {column}."{key}"')
    own = "own.* exclude (rating_system_id)" if has_systems else "own.*"
    shown = "where own.rating_system_id = (select rating_system_id from marts.settings)" if has_systems else ""
    return f'select {own}{"".join(names)} from marts."{table}" as own {" ".join(joins)} {shown}'


def _remove(candidate: Path) -> None:
    for path in (candidate, candidate.with_name(candidate.name + ".wal")):
        path.unlink(missing_ok=True)
