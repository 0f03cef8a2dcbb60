"""What the tests of the importer's readers share: writing a document and reading it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from dippouch.importing.documents import Document
from dippouch.importing.options import TournamentOptions
from dippouch.importing.reading import read_documents

Reader = Callable[..., Document]


@pytest.fixture
def read(tmp_path: Path) -> Reader:
    """A function that writes content into a file of a name and reads the one document in it."""

    def read_one(
        content: str | bytes, name: str, *, form: str | None = None, options: TournamentOptions | None = None
    ) -> Document:
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        (document,) = read_documents(path, form=form, options=options)
        return document

    return read_one
