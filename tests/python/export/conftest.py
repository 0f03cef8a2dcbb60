"""The exports of the project's own collection, written once for all tests of them."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import pytest

from support.changed_publications import NOON, Write, changed_publication, files_of


@pytest.fixture(scope="session")
def publication(published: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A published database. Not to be changed."""
    return changed_publication(published, tmp_path_factory.mktemp("publication") / "rankings.duckdb")


@pytest.fixture(scope="session")
def site(publication: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Its exports, without a site before it. Not to be changed."""
    return files_of(publication, tmp_path_factory.mktemp("exports") / "site")


@pytest.fixture
def write(publication: Path, tmp_path: Path) -> Write:
    """Writes the exports of the publication, changed by statements of SQL, into a folder of that name."""

    def written(name: str, *statements: str, previous: Path | None = None, published_at: datetime = NOON) -> Path:
        database = changed_publication(publication, tmp_path / f"{name}.duckdb", *statements)
        return files_of(database, tmp_path / name, previous, published_at)

    return written
