"""Making the site: every page and file from the published database, then all of it at once in the place of the old one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory

import duckdb

from dippouch.db import literal, reading
from dippouch.disk import link_or_copy
from dippouch.errors import UserError
from dippouch.files.write import write_files
from dippouch.site import assets
from dippouch.site.page import Content, DataFile, Page, Row
from dippouch.site.pages import about_pages, event_pages, nation_pages, player_pages, ranking_pages, record_pages
from dippouch.site.rendering import Renderer, data_script
from dippouch.site.staged import StagedSite, staged_site

_MEMORY = "170MB"


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
            _snapshot(database, Path(spill)) as snapshot,
        ):
            with reading(snapshot) as connection:
                # What outgrows this goes to the disk. Several threads hold memory that cannot, together more than this where there are many players.
                connection.execute(
                    f"set threads = 1; set memory_limit = '{_MEMORY}'; set temp_directory = {literal(spill)}"
                )
                pages = _write_pages(staged, connection, on_page)
            write_files(
                snapshot,
                staged.folder,
                previous=folder if folder.is_dir() else None,
                published_at=datetime.fromtimestamp(snapshot.stat().st_mtime, UTC),
                on_step=on_step,
            )
        staged.adopt()
    return Made(pages, staged.written + staged.kept, staged.written, staged.others)


@contextmanager
def _snapshot(database: Path, folder: Path) -> Iterator[Path]:
    """The published file under a second name: what is published while the site is made is for the next site.

    Raises:
        UserError: when there is no such file, and whatever is raised for the second name, in the words of the first.
    """
    with reading(database):
        snapshot = folder / "rankings.duckdb"
        link_or_copy(str(database.resolve()), str(snapshot))
    try:
        yield snapshot
    except UserError as error:
        raise UserError(str(error).replace(str(snapshot), str(database))) from error
    except (duckdb.CatalogException, duckdb.BinderException) as error:
        raise UserError(
            f"{database}: found a database that another version of this project published ({_sentence(error)}); `make rankings` publishes"
            " it again"
        ) from error
    except duckdb.Error as error:
        raise UserError(
            f"{database}: could not be read to the end ({_sentence(error)}); the site that was there is untouched"
        ) from error


def _sentence(error: duckdb.Error) -> str:
    return str(error).splitlines()[0]


def _write_pages(staged: StagedSite, connection: duckdb.DuckDBPyConnection, on_page: Callable[[int, int], None]) -> int:
    """Write all pages, what they use, and what says where they are.

    Returns:
        How many pages there are.
    """
    content = Content(connection)
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
