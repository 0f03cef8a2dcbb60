"""The site of the project's own collection, made once."""

from __future__ import annotations

from pathlib import Path

import pytest

from dippouch.site.making import build_site


@pytest.fixture(scope="session")
def site(published: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site of the published database. Not to be changed."""
    folder = tmp_path_factory.mktemp("site") / "site"
    build_site(published, folder)
    return folder
