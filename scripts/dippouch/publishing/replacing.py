"""Replace a database in one step, so that readers find a complete file at any time.

DuckDB keeps recent writes in a write-ahead log beside the file, and replays it when the file is opened next. The log of an old file
makes the new one unreadable. So no program may have the old file open for writing during the replacement, and logs beside it are
renamed first.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import duckdb

from dippouch.db import attach, named_writer, written_elsewhere
from dippouch.disk import sync

# Suffixes of DuckDB's logs, after the name of the database.
_LOGS = (".wal", ".wal.checkpoint", ".wal.recovery")
# DuckDB does not replay a log under this name.
_STRAY = ".stray"


def put_in_place(candidate: Path, target: Path) -> list[Path]:
    """Replace a database with a finished one.

    Args:
        candidate: the new file, in the same folder.
        target: the path that readers open.

    Returns:
        The stray logs that were beside the target, under their new names.

    Raises:
        UserError: when a program has the target open for writing; the target is as it was.
        OSError: when the disk refuses.
    """
    with kept_from_writers(target):
        moved = move_stray_logs(target)
        candidate.replace(target)
        sync(target.parent)
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
            if program := named_writer(error):
                raise written_elsewhere(database, program) from None
        yield


def move_stray_logs(database: Path) -> list[Path]:
    """Rename the logs beside a database so that DuckDB does not replay them; overwrite earlier renamed logs.

    Returns:
        Their new names.
    """
    logs = [database.with_name(database.name + ending) for ending in _LOGS]
    return [log.replace(log.with_name(log.name + _STRAY)) for log in logs if os.path.lexists(log)]
