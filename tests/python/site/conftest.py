"""The site of the project's own collection, made once, and a browser that asks nobody else."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from dippouch.site.making import build_site
from support.browser import chromium


@pytest.fixture(scope="session")
def site(published: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site of the published database. Not to be changed."""
    folder = tmp_path_factory.mktemp("site") / "site"
    build_site(published, folder)
    return folder


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Chromium, where it is installed; CI demands it."""
    with chromium() as launched:
        yield launched
