"""Publish: copy the published schemas of a build into a new file, which replaces the published one in one step.

Readers who have the old file open keep it, complete and consistent, until they close it. No program may open the published file for
writing; its mode enforces that. DuckDB keeps recent writes in a log beside the file, and replays it when the file is opened next: the
log of an old file makes the new one unreadable. So no program may have the old file open for writing during the replacement, and logs
beside it are renamed first.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path

import duckdb

from dippouch.db import attach, copy_marts, named_writer, written_elsewhere
from dippouch.disk import explained, refusal, sync
from dippouch.errors import UserError, say_changed

# The files and folders of a warehouse.
PUBLISHED = "rankings.duckdb"
BUILD = "build.duckdb"
FAILED_BUILD = "failed_build.duckdb"
LOCK = ".refresh.lock"
# The folder of the running build. Its path is always the same, because dbt would parse the whole project again for another path.
BUILDING = ".building"
# dbt's files of the last build: logs, compiled SQL, and the outcome of each step.
ARTEFACTS = "dbt"
# The end of every message about a failed refresh.
UNTOUCHED = "the last publication is untouched"

# Read permissions are kept, write permissions removed. Root can write all the same.
_READ_ONLY = 0o444
# Suffixes of DuckDB's logs, after the name of the database.
_LOGS = (".wal", ".wal.checkpoint", ".wal.recovery")
# DuckDB does not replay a log under this name.
_STRAY = ".stray"


def prepare_warehouse(warehouse: Path) -> None:
    """Create the folder of the databases if it is missing, and check that its files can be written.

    Raises:
        UserError: when the folder is unsuitable, with the path and a remedy.
    """
    for sign in "?#":
        if sign in str(warehouse.resolve()):
            raise UserError(
                f"{warehouse.resolve()}: found `{sign}`, where dbt would cut the path of the database; expected a path without it. Set"
                " DPTR_WAREHOUSE to another one"
            )
    with in_use(warehouse):
        for name in ("", ARTEFACTS, BUILDING, PUBLISHED, f".{PUBLISHED}.candidate", BUILD, FAILED_BUILD, LOCK):
            path, expected = warehouse / name, "folder" if name in ("", ARTEFACTS, BUILDING) else "file"
            if path.exists() and (found := "folder" if path.is_dir() else "file") != expected:
                raise UserError(f"{path}: found a {found}; expected a {expected}, or nothing. Move it away")
        warehouse.mkdir(parents=True, exist_ok=True)


def in_use(warehouse: Path) -> AbstractContextManager[None]:
    """Turn an error of the disk into a message about the warehouse, as `explained` does."""
    then = "; expected a writable folder on a disk with enough space. Set DPTR_WAREHOUSE to another one"
    return explained(f"{warehouse}: could not be used", then)


def publish(build: Path, target: Path, check: Callable[[Path], None] = lambda candidate: None) -> list[Path]:
    """Copy the marts, functions and views of a build database into a new file, and replace the published one with it.

    Args:
        build: the build database; opened for reading.
        target: the published database, replaced in one step.
        check: called with the finished new file before the replacement; an exception keeps the old file.

    Returns:
        The stray logs of a program that wrote into the published file, under their new names.

    Raises:
        UserError: when the build has no marts, a program writes into the published file, or the disk refuses; the published
            file is untouched.
    """
    candidate = target.with_name(f".{target.name}.candidate")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        _remove(candidate)
        _copy_published_schemas(build, candidate)
        candidate.chmod(candidate.stat().st_mode & _READ_ONLY)
        sync(candidate)
        check(candidate)
        with kept_from_writers(target):
            moved = move_stray_logs(target)
            candidate.replace(target)
            sync(target.parent)
    except OSError as error:
        raise UserError(f"{target}: could not be published ({refusal(error)}); {UNTOUCHED}") from error
    except duckdb.Error as error:
        raise UserError(f"{build}: could not be published ({error}); {UNTOUCHED}") from error
    else:
        say_changed(f"{target} was published")
        return moved
    finally:
        with suppress(OSError):
            _remove(candidate)


@contextmanager
def kept_from_writers(database: Path) -> Iterator[None]:
    """Hold a database open for reading, so that no other program can open it for writing; ignore files that are no databases.

    Raises:
        UserError: when a program has it open for writing; the message names the program.
    """
    with duckdb.connect() as connection:
        try:
            attach(connection, database, "held")
        except duckdb.Error as error:
            if program := named_writer(error):
                raise written_elsewhere(database, program) from None
        yield


def move_stray_logs(database: Path) -> list[Path]:
    """Rename the logs beside a database so that DuckDB does not replay them, and return their new names; overwrite earlier ones."""
    logs = [database.with_name(database.name + ending) for ending in _LOGS]
    return [log.replace(log.with_name(log.name + _STRAY)) for log in logs if os.path.lexists(log)]


def _copy_published_schemas(build: Path, candidate: Path) -> None:
    """Copy the schemas that readers need from a build."""
    with duckdb.connect() as connection:
        attach(connection, build, "build")
        tables = connection.execute(
            "select table_name from duckdb_tables() where database_name = 'build' and schema_name = 'marts' order by table_name"
        ).fetchall()
        if not tables:
            raise UserError(f"{build}: no tables in the schema `marts`; expected a complete build")
        copy_marts(connection, "build", candidate, {name: "" for (name,) in tables})


def _remove(candidate: Path) -> None:
    for path in (candidate, candidate.with_name(candidate.name + ".wal")):
        path.unlink(missing_ok=True)
