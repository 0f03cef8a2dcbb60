"""Write the exports: tables, JSON documents with their schemas, and the feed."""

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
    """Write the exports of a published database, as docs/files.md describes them.

    Only the feed has a time: `published_at`, by default the modification time of the file. It continues the feed of the previous site.
    """
    on_step("JSON")
    write_documents(content, folder)
    write_schemas(content, folder)
    write_tables(content, folder / "data", on_step)
    (publication,) = content.rows("from marts.publication")
    written_at = datetime.fromtimestamp(content.file.stat().st_mtime, UTC)
    write_feed(publication, content.facts, folder, previous, published_at or written_at)
