"""Make the site: write every page and file from the published database, then replace the old site in one step."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from functools import cache
from importlib.resources import files
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory

import vl_convert
from jinja2 import UndefinedError

from dippouch.db import unreadable
from dippouch.errors import UserError
from dippouch.export import write_exports
from dippouch.export.reading import Content, snapshot
from dippouch.site import about_pages, card_pages, live_pages, ranking_pages
from dippouch.site.bundling import bundled_scripts
from dippouch.site.page import Csv, DataFile, Page
from dippouch.site.rendering import Renderer, csv_text, data_script
from dippouch.site.staged import StagedSite, staged_site

_STATIC = Path(__file__).with_name("static")
# Browsers refuse to load an ES module from a disk, so the export of the table library becomes a global name. Only comments, the
# licences, follow it.
_EXPORT = re.compile(r"export\s*\{([^{}]*)\};?\s*(?=(?:/\*.*\*/\s*)?$)", re.DOTALL)
_NAMES = re.compile(r"(\w+)\s+as\s+(\w+)")
# The scale of the small charts of ratings.
_SCALE = """
    select coalesce(round(min(rating), 1), 0.0) as low, coalesce(round(max(rating), 1), 1.0) as high
    from (select unnest(trend) as rating from presentation.ranking_list where rating_system_id = $system)
"""


def build_site(database: Path, folder: Path, on_step: Callable[[str], None] = lambda step: None) -> StagedSite:
    """Make the site of a published database, completely or not at all; call `on_step` with each step.

    Raises:
        UserError: when there is no such database, an older version published it, or the site cannot be written.
    """
    with (
        staged_site(folder) as staged,
        TemporaryDirectory(prefix=".spill-", dir=staged.folder) as spill,
        snapshot(database, Path(spill)) as content,
    ):
        try:
            _write_site(staged, content, folder if folder.is_dir() else None, on_step)
        except UndefinedError as error:
            # A template uses a column that the view in the database lacks.
            raise unreadable(database, error) from error
    return staged


def _write_site(staged: StagedSite, content: Content, previous: Path | None, on_step: Callable[[str], None]) -> None:
    """Write all pages, assets, exports and the site map."""
    scripts: Path | None = None
    try:
        scripts = bundled_scripts()
    except UserError as error:
        staged.without_live_pages = str(error)
    ranking = content.rows("from presentation.ranking_list where rating_system_id = $system order by rank, player_id")
    (system,) = content.rows("from presentation.rating_system_card where is_default")
    (scale,) = content.rows(_SCALE)
    bounds = (scale["low"], scale["high"], system["initial_rating"])
    renderer = Renderer(content.facts, system, bounds, is_live=scripts is not None)
    for name, asset in _assets().items():
        staged.write(f"assets/{name}", asset)
    write_exports(content, staged.folder, staged.write, on_step)
    live = None
    if scripts:
        for path in scripts.iterdir():
            staged.take(f"{live_pages.SCRIPTS}/{path.name}", path)
        file = live_pages.write_live_file(content, staged.folder, previous)
        live = live_pages.shared(content, scripts, staged.folder, file)
        staged.write("data/live.json", json.dumps(live))
    pages = chain(
        about_pages.pages(content, staged.folder),
        ranking_pages.pages(content, ranking, bounds),
        ranking_pages.nation_pages(content),
        card_pages.tournament_pages(content),
        card_pages.player_pages(content, live),
        live_pages.pages(content, live) if live else (),
    )
    addresses = _write_pages(staged, renderer, pages, on_step)
    staged.pages = len(addresses)
    if content.facts["address"]:
        listed = [address for address in addresses if address != "404.html"]
        staged.write("sitemap.xml", renderer.text("sitemap.xml", addresses=listed))
        staged.write("robots.txt", renderer.text("robots.txt"))
        # The preview image of links to the site.
        staged.write("assets/card.png", vl_convert.svg_to_png(renderer.text("card.svg", top=ranking[:5])))


def _write_pages(
    staged: StagedSite, renderer: Renderer, pages: Iterable[Page | DataFile | Csv], on_step: Callable[[str], None]
) -> list[str]:
    """Write pages and files; return the addresses of the pages."""
    addresses = []
    for page in pages:
        on_step(page.path)
        if isinstance(page, DataFile):
            staged.write(page.path, data_script(page))
        elif isinstance(page, Csv):
            staged.write(page.path, csv_text(page))
        else:
            staged.write(page.path, renderer.page(page))
            addresses.append(page.path)
    return addresses


def _assets() -> dict[str, str | bytes]:
    """Return the files by their name below `assets/`, without the scripts of live pages.

    Raises:
        UserError: when the format of a library has changed.
    """
    own = {path.name: path.read_bytes() for path in _STATIC.iterdir()}
    return own | {"table-library.js": _table_library(), "chart-library.js": _chart_library()}


@cache
def _chart_library() -> str:
    """Return Vega-Lite with its dependencies, from the package vl-convert, as a script that sets `window.vegaEmbed`."""
    return vl_convert.javascript_bundle("window.vegaEmbed=vegaEmbed;")


def _table_library() -> str:
    """Return DataTables, from the package itables, as a script that sets `window.tableLibrary`."""
    source = files("itables").joinpath("html", "dt_bundle.js").read_text(encoding="utf-8")
    found = _EXPORT.search(source)
    names = {public: private for private, public in _NAMES.findall(found[1])} if found else {}
    if found is None or "default" not in names:
        raise UserError("the package itables has an unknown format; expected the version in pyproject.toml")
    code, licences = source[: found.start()], source[found.end() :]
    return f"(()=>{{{code}\nwindow.tableLibrary={{DataTable:{names['default']}}};}})();\n{licences}"
