"""The site of the project's own collection, made once, and a browser that asks nobody else."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

from dippouch.site.making import build_site

_CHROMIUM = ("chromium", "chromium-browser", "google-chrome")
# Nothing but the pages: no sandbox for root, no services of its maker.
_OPTIONS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


@pytest.fixture(scope="session")
def site(published: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site of the published database. Not to be changed."""
    folder = tmp_path_factory.mktemp("site") / "site"
    build_site(published, folder)
    return folder


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Chromium, where it is installed; CI demands it."""
    found = next(filter(None, map(shutil.which, _CHROMIUM)), None)
    if found is None:
        assert "DPTR_DEMAND_BROWSER" not in os.environ, "no Chromium is installed, and this run demands it"
        pytest.skip("no Chromium is installed")
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=found, args=list(_OPTIONS))
        yield launched
        launched.close()
