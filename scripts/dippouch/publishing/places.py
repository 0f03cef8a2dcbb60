"""The places of a warehouse: checked before a refresh spends its time, and what the disk says when one refuses."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from dippouch.disk import refusal
from dippouch.errors import UserError

PUBLISHED = "rankings.duckdb"
BUILD = "build.duckdb"
FAILED_BUILD = "failed_build.duckdb"
LOCK = ".refresh.lock"
# The folder of the build that is running. Its path is part of what dbt was given: elsewhere it would parse the whole project again.
BUILDING = ".building"
# What dbt wrote during the last build: its logs, the SQL as it ran, and how each step ended.
ARTEFACTS = "dbt"

_FILES = (PUBLISHED, f".{PUBLISHED}.candidate", f".{PUBLISHED}.before", BUILD, FAILED_BUILD, LOCK)
_FOLDERS = {ARTEFACTS: "dbt's logs", BUILDING: "a build"}


def prepare_warehouse(warehouse: Path) -> None:
    """Make the folder of the databases, where it is missing, and check that no name in it is taken by something else.

    Raises:
        UserError: when it cannot be one, with the place and the way out.
    """
    with explained(warehouse):
        if warehouse.exists() and not warehouse.is_dir():
            raise UserError(
                f"{warehouse}: found a file; expected a folder for the databases, or nothing. {_away(warehouse)}, or name another"
                " folder with DPTR_WAREHOUSE"
            )
        warehouse.mkdir(parents=True, exist_ok=True)
        for path in (warehouse / name for name in _FILES):
            if path.is_dir():
                raise UserError(f"{path}: found a folder; expected a file, or nothing. {_away(path)}")
        for name, purpose in _FOLDERS.items():
            path = warehouse / name
            if path.exists() and not path.is_dir():
                raise UserError(f"{path}: found a file; expected a folder for {purpose}, or nothing. {_away(path)}")


@contextmanager
def explained(warehouse: Path) -> Iterator[None]:
    """Make a refusal of the disk a message.

    Raises:
        UserError: with the path and the reason.
    """
    try:
        yield
    except (OSError, NotImplementedError) as error:
        # The lock's library says NotImplementedError where a file system cannot lock.
        reason = refusal(error) if isinstance(error, OSError) else str(error)
        raise UserError(
            f"{warehouse}: could not be used ({reason}); expected a folder in which this program may write, on a disk with room."
            " DPTR_WAREHOUSE names another one"
        ) from error


def _away(path: Path) -> str:
    """The way out: a command that moves something away."""
    return f"Move it away: {shlex.join(['mv', str(path), f'{path}.away'])}"
