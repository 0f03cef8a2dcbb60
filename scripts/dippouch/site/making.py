"""Making the site: every page and file from the published database, then all of it at once in the place of the old one."""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory

import vl_convert

from dippouch.export.reading import Content, snapshot
from dippouch.export.write import write_exports
from dippouch.site.assets import all_assets
from dippouch.site.page import DataFile
from dippouch.site.pages import about_pages, event_pages, player_pages, ranking_pages, record_pages
from dippouch.site.rendering import Renderer, data_script
from dippouch.site.staged import StagedSite, staged_site


def build_site(database: Path, folder: Path, on_step: Callable[[str], None] = lambda step: None) -> StagedSite:
    """Make the site of a published database, whole or not at all; `on_step` is called with what is written next.

    Raises:
        UserError: when there is no such database, an older version published it, or the site cannot be written.
    """
    with (
        staged_site(folder) as staged,
        TemporaryDirectory(prefix=".spill-", dir=staged.folder) as spill,
        snapshot(database, Path(spill)) as content,
    ):
        _write_pages(staged, content, on_step)
        write_exports(content, staged.folder, folder if folder.is_dir() else None, on_step)
    return staged


def _write_pages(staged: StagedSite, content: Content, on_step: Callable[[str], None]) -> None:
    """Write all pages, what they use, and what says where they are."""
    ranking = content.rows("from presentation.ranking_list where rating_system_id = $system order by rank, player_id")
    renderer = Renderer(content.facts, ranking_pages.scale_of(ranking))
    for name, asset in all_assets().items():
        staged.write(f"assets/{name}", asset)
    addresses = []
    for page in chain(
        about_pages.pages(content, ranking),
        ranking_pages.pages(content, ranking),
        ranking_pages.nation_pages(content),
        event_pages.pages(content),
        record_pages.pages(content),
        player_pages.pages(content),
    ):
        on_step(page.path)
        if isinstance(page, DataFile):
            staged.write(page.path, data_script(page))
        else:
            staged.write(page.path, renderer.page(page))
            addresses.append(page.path)
    staged.pages = len(addresses)
    if content.facts["address"]:
        listed = [address for address in addresses if address != "404.html"]
        staged.write("sitemap.xml", renderer.text("sitemap.xml", addresses=listed))
        staged.write("robots.txt", renderer.text("robots.txt"))
        # What a link to the site looks like where people share it.
        staged.write("assets/card.png", vl_convert.svg_to_png(renderer.text("card.svg", top=ranking[:5])))
