"""The files and folders of a warehouse, checked before a refresh, and messages for errors of the disk."""

from __future__ import annotations

import shlex
from contextlib import AbstractContextManager
from pathlib import Path

from dippouch.disk import explained
from dippouch.errors import UserError

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

_FILES = (PUBLISHED, f".{PUBLISHED}.candidate", BUILD, FAILED_BUILD, LOCK)
_FOLDERS = ("", ARTEFACTS, BUILDING)


def prepare_warehouse(warehouse: Path) -> None:
    """Create the folder of the databases if it is missing, and check that its files can be written.

    Raises:
        UserError: when the folder is unsuitable, with the path and a remedy.
    """
    if "?" in str(warehouse.resolve()):
        raise UserError(
            f"{warehouse.resolve()}: found `?`, after which DuckDB expects options; expected a path without `?`."
            " Set DPTR_WAREHOUSE to another one"
        )
    with in_use(warehouse):
        for names, expected, found in ((_FOLDERS, "folder", "file"), (_FILES, "file", "folder")):
            for path in (warehouse / name for name in names):
                if path.exists() and path.is_dir() != (expected == "folder"):
                    away = shlex.join(["mv", str(path), f"{path}.away"])
                    raise UserError(f"{path}: found a {found}; expected a {expected}, or nothing. Move it away: {away}")
        warehouse.mkdir(parents=True, exist_ok=True)


def in_use(warehouse: Path) -> AbstractContextManager[None]:
    """Turn an error of the disk into a message about the warehouse, as `explained` does."""
    then = "; expected a writable folder on a disk with enough space. Set DPTR_WAREHOUSE to another one"
    return explained(f"{warehouse}: could not be used", then)
