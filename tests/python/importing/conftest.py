"""What the tests of the importer's formats share: writing a document and reading it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from dippouch.documents import Document
from dippouch.errors import DocumentError
from dippouch.importing.context import TournamentOptions, read_context
from dippouch.importing.pipeline import import_documents
from dippouch.importing.reader import read_documents
from dippouch.settings import PROJECT

Reader = Callable[..., Document]


@pytest.fixture
def refused(tmp_path: Path) -> Callable[..., DocumentError]:
    """A function that writes content into a file of a name and imports it; what is wrong with it first."""

    def refuse_one(content: str | bytes, name: str) -> DocumentError:
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        outcome = import_documents([path], tmp_path / "seeds")
        assert not outcome.written
        return outcome.rejections[0]

    return refuse_one


@pytest.fixture
def read(tmp_path: Path) -> Reader:
    """A function that writes content into a file of a name and reads the one document in it."""

    def read_one(
        content: str | bytes, name: str, *, format_name: str | None = None, options: TournamentOptions | None = None
    ) -> Document:
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        context = read_context(PROJECT / "seeds", options)
        (document,) = read_documents(path, format_name=format_name, context=context)
        return document

    return read_one
