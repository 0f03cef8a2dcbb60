"""The exports of the project's own collection, written once for all tests."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.changed_publications import Write, changed_publication, files_of


@pytest.fixture(scope="session")
def publication(published: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A published database. Read-only."""
    return changed_publication(published, tmp_path_factory.mktemp("publication") / "rankings.duckdb")


@pytest.fixture(scope="session")
def site(publication: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Its exports. Read-only."""
    return files_of(publication, tmp_path_factory.mktemp("exports") / "site")


@pytest.fixture
def write(publication: Path, tmp_path: Path) -> Write:
    """A function that changes the publication by SQL statements, and writes its exports into a folder of the given name."""

    def written(name: str, *statements: str) -> Path:
        database = changed_publication(publication, tmp_path / f"{name}.duckdb", *statements)
        return files_of(database, tmp_path / name)

    return written
