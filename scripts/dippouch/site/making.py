"""Making the site: every page and file from the published database, then all of it at once in the place of the old one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory

import duckdb

from dippouch.db import literal, reading
from dippouch.errors import UserError
from dippouch.files.write import write_files
from dippouch.site import assets
from dippouch.site.page import Content, DataFile, Page
from dippouch.site.pages import about_pages, event_pages, nation_pages, player_pages, ranking_pages, record_pages
from dippouch.site.rendering import Renderer, data_script
from dippouch.site.staged import StagedSite, staged_site

# What a publication of this version has beyond its tables.
_NEEDED = "pages.site_facts"
_MEMORY = "220MB"


@dataclass(frozen=True)
class Made:
    """What came of making a site.

    Attributes:
        pages: how many pages it has.
        files: how many files in all.
        written: how many of them are new or changed.
    """

    pages: int
    files: int
    written: int


def build_site(
    database: Path,
    folder: Path,
    *,
    on_page: Callable[[int, int], None] = lambda done, total: None,
    on_step: Callable[[str], None] = lambda step: None,
) -> Made:
    """Make the site of a published database, whole or not at all.

    Args:
        database: the published database; opened for reading only.
        folder: the folder of the site, replaced in one step.
        on_page: called with the number of pages made, and of all, for progress.
        on_step: called with what else is being written.

    Raises:
        UserError: when there is no such database, an older version published it, or the site cannot be written.
    """
    with reading(database) as connection, staged_site(folder) as staged, TemporaryDirectory() as spill:
        # What outgrows this goes to the disk.
        connection.execute(f"set memory_limit = '{_MEMORY}'; set temp_directory = {literal(spill)}")
        content = _content(connection, database)
        ranking = content.rows("from pages.ranking_rows order by rank, player_id")
        renderer = Renderer(content.facts, ranking_pages.scale_of(ranking))
        _write_assets(staged)
        total, addresses = _expected_pages(content), []
        for page in _all_pages(content, connection):
            if isinstance(page, DataFile):
                staged.write(page.path, data_script(page))
                continue
            staged.write(page.path, renderer.page(page))
            addresses.append(page.path)
            on_page(len(addresses), max(total, len(addresses)))
        listed = [address for address in addresses if address != "404.html"]
        if content.facts["address"]:
            staged.write("sitemap.xml", renderer.text("sitemap.xml", addresses=listed))
            staged.write("robots.txt", renderer.text("robots.txt"))
            # What a link to the site looks like where people share it.
            staged.write("assets/card.png", assets.picture(renderer.text("card.svg", top=ranking[:5])))
        write_files(
            database,
            staged.folder,
            previous=folder if folder.is_dir() else None,
            published_at=datetime.fromtimestamp(database.stat().st_mtime, UTC),
            on_step=on_step,
        )
        staged.adopt()
        return Made(len(addresses), staged.written + staged.kept, staged.written)


def _content(connection: duckdb.DuckDBPyConnection, database: Path) -> Content:
    try:
        return Content(connection)
    except duckdb.CatalogException:
        raise UserError(
            f"{database}: has no {_NEEDED}, because another version published it; `make rankings` publishes it again"
        ) from None


def _all_pages(content: Content, connection: duckdb.DuckDBPyConnection) -> Iterator[Page | DataFile]:
    tables = connection.execute(
        "select table_name, estimated_size from duckdb_tables() where database_name = 'published' and schema_name = 'marts' order by table_name"
    ).fetchall()
    return chain(
        about_pages.pages(content, dict(tables)),
        ranking_pages.pages(content),
        nation_pages.pages(content),
        event_pages.pages(content),
        record_pages.pages(content),
        player_pages.pages(content),
    )


def _expected_pages(content: Content) -> int:
    """How many pages there will be about, for progress: most are those of people, tournaments and years."""
    counted = content.rows(
        f"""
        select
            (select count(*) from pages.player_facts)
            + (select count(*) from pages.tournament_facts)
            + (select count(*) from pages.nation_facts)
            + (select coalesce(sum(ceil(ranked_players / {ranking_pages.ROWS_A_PAGE})), 0) from pages.year_facts)
            + 15 as pages
        """
    )
    return int(counted[0]["pages"])


def _write_assets(staged: StagedSite) -> None:
    for name, content in assets.own_assets().items():
        staged.write(f"assets/{name}", content)
    staged.write("assets/table-library.js", assets.table_library())
    staged.write("assets/chart-library.js", assets.chart_library())
