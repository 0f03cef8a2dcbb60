"""Replacing a database in one step, so that readers find a whole file at every moment.

DuckDB keeps recent writes in a write-ahead log beside the file, and replays it when the file is opened next. A log of another file
makes the new one unreadable. So no program may have the old file open for writing while it is replaced, logs beside it are moved
away first, and the new file is read once in its place.
"""

from __future__ import annotations

import errno
import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import duckdb

from dippouch.db import attach, named_writer, reading, written_elsewhere
from dippouch.disk import link_or_copy, refusal, sync
from dippouch.errors import UserError

# What DuckDB calls its logs, behind the name of the database.
_LOGS = (".wal", ".wal.checkpoint", ".wal.recovery")
# DuckDB does not replay a log under this name.
_STRAY = ".stray"


def put_in_place(candidate: Path, target: Path) -> list[Path]:
    """Replace a database with a finished one, and read it in its place; restore the old one if that fails.

    Args:
        candidate: the new file, in the same folder.
        target: the name that readers open.

    Returns:
        The stray logs that were beside the target, under their new names.

    Raises:
        UserError: when a program holds the target for writing, or the new file cannot be read in its place; the target is as it was.
        OSError: when the disk refuses.
    """
    before = target.with_name(f".{target.name}.before")
    before.unlink(missing_ok=True)
    if target.exists():
        link_or_copy(str(target), str(before))
    try:
        with kept_from_writers(target), kept_from_writers(candidate):
            moved = move_stray_logs(target)
            candidate.replace(target)
            try:
                sync(target.parent)
                check_readable(target)
            except (OSError, UserError, duckdb.Error) as error:
                moved += move_stray_logs(target)
                _put_back(before, target)
                reason = refusal(error) if isinstance(error, OSError) else str(error)
                raise UserError(f"{target}: the new file could not be read in its place ({reason})") from error
    finally:
        before.unlink(missing_ok=True)
    return moved


@contextmanager
def kept_from_writers(database: Path) -> Iterator[None]:
    """Hold a database as a reader does, so that no other program can open it for writing; a missing one is not held.

    The lock belongs to the process: whatever opens and closes the same file meanwhile, here, ends it.

    Raises:
        UserError: when a program has it open for writing; the message names the program.
    """
    if not database.exists():
        yield
        return
    with database.open("rb") as file:
        try:
            fcntl.lockf(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except OSError as error:
            # A file system that cannot lock keeps no reader away either.
            if error.errno in {errno.EAGAIN, errno.EACCES}:
                raise written_elsewhere(database, _writer_of(database)) from None
        yield


def move_stray_logs(database: Path) -> list[Path]:
    """Move the logs beside a database to names that DuckDB does not replay; an earlier one under that name is lost.

    Returns:
        Their new names.
    """
    logs = [database.with_name(database.name + ending) for ending in _LOGS]
    return [log.replace(log.with_name(log.name + _STRAY)) for log in logs if os.path.lexists(log)]


def check_readable(database: Path) -> None:
    """Read something of every published table, over a connection of its own.

    Raises:
        UserError: when it cannot be opened.
        duckdb.Error: when a table cannot be read.
    """
    with reading(database) as connection:
        tables = connection.execute(
            "select schema_name, table_name from duckdb_tables() where database_name = 'published'"
        ).fetchall()
        for schema, table in tables:
            connection.execute(f'select * from published."{schema}"."{table}" limit 1').fetchall()


def _put_back(before: Path, target: Path) -> None:
    if before.exists():
        before.replace(target)
    else:
        target.unlink()


def _writer_of(database: Path) -> str:
    """The program that has a database open for writing, as DuckDB names it."""
    try:
        with duckdb.connect() as connection:
            attach(connection, database, "held")
    except duckdb.Error as error:
        if program := named_writer(error):
            return program
    return "another program"
