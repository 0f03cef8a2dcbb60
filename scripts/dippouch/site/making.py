"""Making the site: every page and file from the published database, then all of it at once in the place of the old one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory

from dippouch.db import Row
from dippouch.export.reading import Content, snapshot
from dippouch.export.write import write_exports
from dippouch.site import assets
from dippouch.site.page import DataFile, Page
from dippouch.site.pages import about_pages, event_pages, nation_pages, player_pages, ranking_pages, record_pages
from dippouch.site.rendering import Renderer, data_script
from dippouch.site.staged import StagedSite, staged_site


@dataclass(frozen=True)
class Made:
    """What came of making a site.

    Attributes:
        pages: how many pages it has.
        files: how many files in all.
        written: how many of them are new or changed.
        others: how many files of others stayed in the folder.
    """

    pages: int
    files: int
    written: int
    others: int


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
    with staged_site(folder) as staged:
        with (
            TemporaryDirectory(prefix=".spill-", dir=staged.folder) as spill,
            snapshot(database, Path(spill)) as (content, second_name),
        ):
            pages = _write_pages(staged, content, on_page)
            write_exports(
                content,
                second_name,
                staged.folder,
                previous=folder if folder.is_dir() else None,
                published_at=datetime.fromtimestamp(second_name.stat().st_mtime, UTC),
                on_step=on_step,
            )
        staged.adopt()
    return Made(pages, staged.written + staged.kept, staged.written, staged.others)


def _write_pages(staged: StagedSite, content: Content, on_page: Callable[[int, int], None]) -> int:
    """Write all pages, what they use, and what says where they are.

    Returns:
        How many pages there are.
    """
    ranking = content.rows("from presentation.ranking_list where rating_system_id = $system order by rank, player_id")
    renderer = Renderer(content.facts, ranking_pages.scale_of(ranking))
    _write_assets(staged)
    total, addresses = _expected_pages(content), []
    for page in _all_pages(content, ranking):
        if isinstance(page, DataFile):
            staged.write(page.path, data_script(page))
            continue
        staged.write(page.path, renderer.page(page))
        addresses.append(page.path)
        on_page(len(addresses), max(total, len(addresses)))
    if content.facts["address"]:
        listed = [address for address in addresses if address != "404.html"]
        staged.write("sitemap.xml", renderer.text("sitemap.xml", addresses=listed))
        staged.write("robots.txt", renderer.text("robots.txt"))
        # What a link to the site looks like where people share it.
        staged.write("assets/card.png", assets.picture(renderer.text("card.svg", top=ranking[:5])))
    return len(addresses)


def _all_pages(content: Content, ranking: list[Row]) -> Iterator[Page | DataFile]:
    return chain(
        about_pages.pages(content, ranking),
        ranking_pages.pages(content, ranking),
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
            (select count(*) from marts.players)
            + (select count(*) from presentation.tournament_card)
            + (select count(*) from presentation.nation_card)
            + (select coalesce(sum(ceil(ranked_players / {ranking_pages.ROWS_A_PAGE})), 0) from presentation.year_card)
            + 15 as pages
        """
    )
    return int(counted[0]["pages"])


def _write_assets(staged: StagedSite) -> None:
    for name, content in assets.own_assets().items():
        staged.write(f"assets/{name}", content)
    staged.write("assets/table-library.js", assets.table_library())
    staged.write("assets/chart-library.js", assets.chart_library())
