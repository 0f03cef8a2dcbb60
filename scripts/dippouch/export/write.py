"""Writing the exports: tables, JSON documents with their schemas, and the feed."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from dippouch.export.feed import write_feed
from dippouch.export.json_documents import write_documents
from dippouch.export.reading import Content
from dippouch.export.schemas import write_schemas
from dippouch.export.tables import write_tables


def write_exports(
    content: Content,
    folder: Path,
    previous: Path | None,
    on_step: Callable[[str], None],
    published_at: datetime | None = None,
) -> None:
    """Write the exports of a published database, as docs/files.md describes them; only the feed has the time.

    Args:
        content: the published database.
        folder: the folder of the site that is being made.
        previous: the folder of the published site, whose feed is continued; None: there is none.
        on_step: called with what is written next.
        published_at: when the database was published; None: when its file was written.
    """
    on_step("JSON")
    write_documents(content, folder)
    write_schemas(content, folder)
    write_tables(content, folder / "data", on_step)
    (publication,) = content.rows("from marts.publication")
    written_at = datetime.fromtimestamp(content.file.stat().st_mtime, UTC)
    write_feed(publication, content.facts, folder, previous, published_at or written_at)
