"""Publish: copy the published schemas of a build into a new file, which replaces the published one in one step.

Readers who have the old file open keep it, complete and consistent, until they close it. No program may open the
published file for writing; its mode enforces that.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import duckdb

from dippouch.db import attach, copy_marts
from dippouch.disk import refusal, sync
from dippouch.errors import UserError, say_changed
from dippouch.publishing.places import UNTOUCHED
from dippouch.publishing.replacing import put_in_place

# Read permissions are kept, write permissions removed. Root can write all the same.
_READ_ONLY = 0o444


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
        moved = put_in_place(candidate, target)
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
