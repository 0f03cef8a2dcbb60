"""Chromium, where it is installed: without services of its maker, and for root too."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Browser, sync_playwright

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


@contextmanager
def chromium() -> Iterator[Browser]:
    """A browser until the end of the block; the test is skipped where none is installed, but where CI demands it."""
    found = next(filter(None, map(shutil.which, _CHROMIUM)), None)
    if found is None:
        assert "DPTR_DEMAND_BROWSER" not in os.environ, "no Chromium is installed, and this run demands it"
        pytest.skip("no Chromium is installed")
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=found, args=list(_OPTIONS))
        yield launched
        launched.close()
