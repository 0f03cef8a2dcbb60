"""Writing the files for machines: tables, JSON documents with their schemas, the feed, and the manifest."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import duckdb

from dippouch.disk import refusal
from dippouch.errors import UserError
from dippouch.files.api import Api
from dippouch.files.changes import write_changes
from dippouch.files.feed import write_feed
from dippouch.files.file_names import check_names
from dippouch.files.manifest import write_manifest
from dippouch.files.published import opened, read_publication, read_settings
from dippouch.files.tables import write_tables

SCHEMAS = Path(__file__).parent / "schemas"


def write_files(
    database: Path, folder: Path, *, previous: Path | None, published_at: datetime, on_step: Callable[[str], None]
) -> None:
    """Write the files for machines of a published database: docs/files.md describes each.

    The same publication gives the same bytes, whenever it is published; only the feed has the time.

    Args:
        database: the published database.
        folder: the site that is being made; what is written there is whole only when this returns.
        previous: the folder of the site that is published now, for what changed since; None: there is none.
        published_at: when the database was published.
        on_step: called with what is done next, for people.

    Raises:
        UserError: when there is no such database, an older version of the project published it, its ids cannot be names of
            files, or the disk refuses.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with (
            tempfile.TemporaryDirectory(prefix=".spill-", dir=folder) as spill,
            opened(database, Path(spill)) as connection,
        ):
            publication = read_publication(connection)
            settings = read_settings(connection)
            system = settings["rating_system_id"]
            check_names(connection, database)
            for name in ("data", "api/v1"):
                (folder / name).mkdir(parents=True, exist_ok=True)
            shutil.copytree(SCHEMAS, folder / "schemas" / "v1", dirs_exist_ok=True, copy_function=shutil.copyfile)
            counts = write_tables(
                connection, database, folder / "data", settings, lambda table: on_step(f"table {table}")
            )
            api = Api(connection, folder, system)
            on_step("JSON of the rankings")
            api.write_rankings()
            on_step("JSON of the players")
            api.write_players()
            on_step("JSON of the tournaments")
            api.write_tournaments()
            api.write_index(publication)
            on_step("what changed")
            changes = write_changes(connection, folder, publication, system, previous)
            write_feed(folder, publication, changes, settings, previous, published_at)
        on_step("manifest")
        write_manifest(folder, publication, counts)
    except OSError as error:
        raise _refused(folder, refusal(error)) from error
    except duckdb.Error as error:
        raise _refused(folder, str(error).splitlines()[0]) from error


def _refused(folder: Path, reason: str) -> UserError:
    return UserError(
        f"{folder}: could not be written ({reason}); expected a folder in which this program may write, on a disk with room."
        " Make room, then run this again"
    )
