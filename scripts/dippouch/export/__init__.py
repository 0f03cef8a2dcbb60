"""Exports of the published database: tables, JSON documents with their schemas, and a feed."""

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from dippouch.export.feed import write_feed
from dippouch.export.json_documents import Write, write_documents
from dippouch.export.reading import Content
from dippouch.export.tables import write_tables


def write_exports(content: Content, folder: Path, write: Write, on_step: Callable[[str], None]) -> None:
    """Write the exports of a published database into a folder, as docs/files.md describes them; `write` writes a text there."""
    on_step("JSON")
    write_documents(content, write)
    write_tables(content, folder / "data", on_step)
    write_feed(content, write, datetime.fromtimestamp(content.file.stat().st_mtime, UTC))
