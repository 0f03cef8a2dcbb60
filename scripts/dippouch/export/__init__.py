"""Exports of the published database: tables, JSON documents with their schemas, and a feed."""

from dippouch.export.feed import feed_of
from dippouch.export.json_documents import write_documents
from dippouch.export.reading import Content, Place
from dippouch.export.tables import write_tables


def write_exports(content: Content, place: Place) -> None:
    """Write the exports of a published database, as docs/files.md describes them."""
    write_documents(content, place)
    write_tables(content, place)
    place("feed.atom").write_text(feed_of(content), encoding="utf-8")
