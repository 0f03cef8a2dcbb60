"""Fixtures for the tests of the importer's formats: write a document and read it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from dippouch.documents import Document
from dippouch.importing.context import TournamentOptions, read_context
from dippouch.importing.reader import read_documents
from dippouch.settings import PROJECT

Reader = Callable[..., Document]


@pytest.fixture
def read(tmp_path: Path) -> Reader:
    """A function that writes content into a file of a name, and reads its only document."""

    def read_one(
        content: str | bytes, name: str, *, format_name: str | None = None, options: TournamentOptions | None = None
    ) -> Document:
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        context = read_context(PROJECT / "seeds", options)
        (document,) = read_documents(path, format_name=format_name, context=context)
        return document

    return read_one
