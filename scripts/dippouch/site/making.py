"""Make the site: write every page and file from the published database, then replace the old site in one step."""

import re
from collections.abc import Callable
from functools import cache
from importlib.resources import files
from pathlib import Path
from tempfile import TemporaryDirectory

import vl_convert
from jinja2 import UndefinedError

from dippouch.db import unreadable
from dippouch.export.json_documents import write_documents
from dippouch.export.reading import Content, snapshot
from dippouch.export.tables import write_tables
from dippouch.messages import UserError
from dippouch.site import about_pages, card_pages, live_pages, ranking_pages
from dippouch.site.rendering import Site
from dippouch.site.staged import StagedSite, staged_site

# Browsers refuse to load an ES module from a disk, so the export of the table library becomes a global name. Only comments, the
# licences, follow it.
_EXPORT = re.compile(r"export\s*\{[^{}]*?(\w+)\s+as\s+default\b[^{}]*\};?\s*(?=(?:/\*.*\*/\s*)?$)", re.DOTALL)


def build_site(database: Path, folder: Path, on_step: Callable[[str], None]) -> StagedSite:
    """Make the site of a published database, completely or not at all; call `on_step` with the path of each file.

    Raises:
        UserError: when there is no such database, an older version published it, or the site cannot be written.
    """
    with (
        staged_site(folder, on_step) as staged,
        TemporaryDirectory(prefix=".spill-", dir=staged.folder) as spill,
        snapshot(database, Path(spill)) as content,
    ):
        try:
            _write_site(staged, content, folder)
        except UndefinedError as error:
            # A template uses a column that the view in the database lacks.
            raise unreadable(database, error) from error
    return staged


def _write_site(staged: StagedSite, content: Content, previous: Path) -> None:
    """Write all pages, assets, exports and the site map."""
    for path in Path(__file__).with_name("static").iterdir():
        staged.write(f"assets/{path.name}", path.read_bytes())
    staged.write("assets/table-library.js", _table_library())
    staged.write("assets/chart-library.js", _chart_library())
    write_documents(content, staged.place)
    resources = write_tables(content, staged.place)
    live = None
    try:
        live = live_pages.write_shared(content, staged, previous)
    except UserError as error:
        staged.without_live_pages = str(error)
    site = Site(content, staged, is_live=live is not None)
    staged.write("feed.atom", site.feed())
    about_pages.write_pages(site, resources)
    ranking_pages.write_rankings(site)
    ranking_pages.write_nations(site)
    card_pages.write_tournaments(site)
    card_pages.write_players(site, live)
    if live:
        live_pages.write_pages(site, live)
    staged.pages = len(site.addresses)
    if content.facts["address"]:
        staged.write("sitemap.xml", site.text("sitemap.xml", addresses=site.addresses))
        staged.write("robots.txt", site.text("robots.txt"))
        # The preview image of links to the site.
        top = content.rows(f"{ranking_pages.RANKING} limit 5")
        staged.write("assets/card.png", vl_convert.svg_to_png(site.text("card.svg", top=top)))


@cache
def _chart_library() -> str:
    """Return Vega-Lite with its dependencies, from the package vl-convert, as a script that sets `window.vegaEmbed`."""
    return vl_convert.javascript_bundle("window.vegaEmbed=vegaEmbed;")


def _table_library() -> str:
    """Return DataTables, from the package itables, as a script that sets `window.tableLibrary`.

    Raises:
        UserError: when the format of the package has changed.
    """
    source = files("itables").joinpath("html", "dt_bundle.js").read_text(encoding="utf-8")
    found = _EXPORT.search(source)
    if found is None:
        raise UserError("the package itables has an unknown format; expected the version in pyproject.toml")
    code, licences = source[: found.start()], source[found.end() :]
    return f"(()=>{{{code}\nwindow.tableLibrary={{DataTable:{found[1]}}};}})();\n{licences}"
