"""Writing the exports: tables, JSON documents with their schemas, and the feed."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from dippouch.export.feed import write_feed
from dippouch.export.json_documents import write_documents
from dippouch.export.reading import Content
from dippouch.export.schemas import write_schemas
from dippouch.export.tables import write_tables


def write_exports(
    content: Content,
    database: Path,
    folder: Path,
    *,
    previous: Path | None,
    published_at: datetime,
    on_step: Callable[[str], None],
) -> None:
    """Write the exports of a published database; docs/files.md describes each.

    The same publication gives the same bytes, whenever it is published; only the feed has the time.

    Args:
        content: the published database, open.
        database: its file.
        folder: the site that is being made; what is written there is whole only when this returns.
        previous: the folder of the published site, whose feed is continued; None: there is none.
        published_at: when the database was published.
        on_step: called with what is done next, for people.

    Raises:
        UserError: when ids cannot be names of files.
        OSError: when the disk refuses.
    """
    folder.mkdir(parents=True, exist_ok=True)
    on_step("JSON")
    write_documents(content, folder)
    write_schemas(content, folder)
    write_tables(content, database, folder / "data", on_step)
    (publication,) = content.rows("from marts.publication")
    write_feed(publication, content.facts, folder, previous, published_at)
