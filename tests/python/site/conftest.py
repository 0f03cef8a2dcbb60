"""The site of the project's own collection, made once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from dippouch.site.making import build_site
from dippouch.site.serving import site_server
from support.browser import served_by


@pytest.fixture(scope="session")
def site(published: Path, made_once: Callable[[str, Callable[[Path], None]], Path]) -> Path:
    """The site of the published database. Read-only."""

    def make(folder: Path) -> None:
        made = build_site(published, folder)
        assert not made.without_live_pages, made.without_live_pages

    return made_once("site", make)


@pytest.fixture(scope="session")
def served(site: Path) -> Iterator[str]:
    """The address of the site, served like `dptr serve`."""
    with served_by(site_server(site, 0)) as address:
        yield address
