"""Publish: copy the published schemas of a build into a new file, which replaces the published one in one step.

Readers who have the old file open keep it, complete and consistent, until they close it. No program may open the published file for
writing; its mode enforces that. DuckDB keeps recent writes in a log beside the file, and replays it when the file is opened next: the
log of an old file makes the new one unreadable. So no program may have the old file open for writing during the replacement, and logs
beside it are renamed first.
"""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import duckdb

from dippouch.db import attach, copy_marts, unreadable
from dippouch.disk import sync
from dippouch.messages import UserError, durable_changes

# The published file, and the build beside it.
PUBLISHED = "rankings.duckdb"
BUILD = "build.duckdb"
# The end of every message about a failed refresh.
UNTOUCHED = "the last publication is untouched"

# Read permissions are kept, write permissions removed. Root can write all the same.
_READ_ONLY = 0o444
# Suffixes of DuckDB's logs, after the name of the database.
_LOGS = (".wal", ".wal.checkpoint", ".wal.recovery")
# DuckDB does not replay a log under this name.
_STRAY = ".stray"


def publish(build: Path, target: Path, check: Callable[[Path], None]) -> list[Path]:
    """Copy the marts, functions and views of a build database into a new file, and replace the published one with it.

    Args:
        build: the build database, opened for reading; the new file is written beside it.
        target: the published database on the same disk, replaced in one step.
        check: called with the finished new file before the replacement; an exception keeps the old file.

    Returns:
        The stray logs of a program that wrote into the published file, under their new names.

    Raises:
        UserError: when the build cannot be read, or a program writes into the published file, which is untouched.
        OSError: when the disk refuses.
    """
    candidate = build.with_name("candidate.duckdb")
    candidate.unlink(missing_ok=True)
    try:
        with duckdb.connect() as connection:
            attach(connection, build, "build")
            copy_marts(connection, "build", candidate, where={})
        candidate.chmod(candidate.stat().st_mode & _READ_ONLY)
        sync(candidate)
        check(candidate)
        with kept_from_writers(target):
            moved = move_stray_logs(target)
            candidate.replace(target)
            durable_changes.append(f"{target} was published")
            sync(target.parent)
    except duckdb.Error as error:
        raise UserError(f"{build}: could not be published ({error}); {UNTOUCHED}") from error
    return moved


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
            if "lock is held" in str(error):
                raise unreadable(database, error) from None
        yield


def move_stray_logs(database: Path) -> list[Path]:
    """Rename the logs beside a database so that DuckDB does not replay them, and return their new names; overwrite earlier ones."""
    logs = [database.with_name(database.name + ending) for ending in _LOGS]
    return [log.replace(log.with_name(log.name + _STRAY)) for log in logs if os.path.lexists(log)]
