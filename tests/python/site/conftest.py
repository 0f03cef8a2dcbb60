"""The site of the project's own collection, made once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from dippouch.site.making import build_site
from dippouch.site.serving import site_server
from support.browser import served_by
from support.changed_publications import changed_publication


@pytest.fixture(scope="session")
def site(published: Path, made_once: Callable[[str, Callable[[Path], None]], Path]) -> Path:
    """The site of the published database. Read-only."""

    def make(folder: Path) -> None:
        made = build_site(published, folder, print)
        assert not made.without_live_pages, made.without_live_pages

    return made_once("site", make)


@pytest.fixture(scope="session")
def served(site: Path) -> Iterator[str]:
    """The address of the site, served like `dptr serve`."""
    with served_by(site_server(site, 0)) as address:
        yield address


@pytest.fixture
def changed_site(published: Path, tmp_path: Path) -> Callable[..., Path]:
    """A function that changes the published database by SQL statements, and makes the site of the changed one beside it."""

    def make(*statements: str) -> Path:
        database = changed_publication(published, tmp_path / "rankings.duckdb", *statements)
        build_site(database, tmp_path / "site", print)
        return tmp_path / "site"

    return make
