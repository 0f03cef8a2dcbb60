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

# How the message of a refresh that fails ends.
UNTOUCHED = "the last publication is untouched"

_FILES = (PUBLISHED, f".{PUBLISHED}.candidate", BUILD, FAILED_BUILD, LOCK)
_FOLDERS = ("", ARTEFACTS, BUILDING)


def prepare_warehouse(warehouse: Path) -> None:
    """Make the folder of the databases, where it is missing, and check that no name in it is taken by something else.

    Raises:
        UserError: when it cannot be one, with the place and the way out.
    """
    if "?" in str(warehouse.resolve()):
        raise UserError(
            f"{warehouse.resolve()}: found `?`, behind which DuckDB looks for options; expected a folder whose path has none."
            " DPTR_WAREHOUSE names another one"
        )
    with explained(warehouse):
        for names, expected, found in ((_FOLDERS, "folder", "file"), (_FILES, "file", "folder")):
            for path in (warehouse / name for name in names):
                if path.exists() and path.is_dir() != (expected == "folder"):
                    away = shlex.join(["mv", str(path), f"{path}.away"])
                    raise UserError(f"{path}: found a {found}; expected a {expected}, or nothing. Move it away: {away}")
        warehouse.mkdir(parents=True, exist_ok=True)


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
