"""The dashboard for days, in minutes: pages shown again and again while other publications take the place of the file.

    python -m support.dashboard_endurance --reruns 2000 --publications 20

Its memory and its open files are told on the way; a page that fails, a figure of another publication, or either of them
growing on and on ends it with an error.
"""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import click

from dippouch.settings import published_database
from support.changed_publications import changed_publication
from support.dashboard_server import Client, Server, figures_of, serving

# What a visitor opens, one after the other: a page and what is in its address.
_VISITED = (
    ("", ""),
    ("", "among=active&since=year"),
    ("player", "show=moves"),
    ("player", "show=results"),
    ("tournament", ""),
    ("nations", "measure=rank"),
    ("laboratory", "maximum_value=12.5&counted_years=10"),
    ("records", "list=performances"),
    ("quality", "list=printed"),
)
# How much more may be held at the end than after the first quarter, when all is loaded: memory in KiB, and open files.
_MORE_MEMORY, _MORE_FILES = 60_000, 4


@dataclass(frozen=True)
class Endured:
    """What came of it.

    Attributes:
        shown: how many pages.
        publications: how many files took the place of the one before.
        early: memory in KiB and open files after the first quarter.
        late: the same at the end.
    """

    shown: int
    publications: int
    early: tuple[int, int]
    late: tuple[int, int]


def endure(published: Path, folder: Path, reruns: int, publications: int) -> Endured:
    """Show pages while publications change, each of which says how many it is.

    Raises:
        AssertionError: when a page fails, shows another publication, or the dashboard grows.
    """
    warehouse = folder / "warehouse"
    warehouse.mkdir()
    _publish(published, warehouse, 0)
    with serving(warehouse) as server:
        early = figures_of(server.process)
        done = 0
        for number in range(1, publications + 1):
            _publish(published, warehouse, number)
            done += _visit(server, number, reruns * number // publications - done)
            if number == max(publications // 4, 1):
                early = figures_of(server.process)
            memory, files = figures_of(server.process)
            click.echo(f"{done:,} pages, {number} publications: {memory / 1024:,.0f} MiB, {files} open files")
        late = figures_of(server.process)
    assert late[0] - early[0] <= _MORE_MEMORY, (early, late)
    assert late[1] - early[1] <= _MORE_FILES, (early, late)
    return Endured(done, publications, early, late)


def _visit(server: Server, number: int, pages: int) -> int:
    """One visitor, who leaves when the next publication comes; gives the number of pages shown."""
    client = Client(server)
    try:
        for turn in range(pages):
            page, query = _VISITED[turn % len(_VISITED)]
            shown = client.show(page, query)
            assert shown.faults == [], (page, query, shown.faults)
            foot = shown.texts[-1]
            assert f"code number\\-{number}\\," in foot, (page, query, foot)
    finally:
        client.close()
    return pages


def _publish(published: Path, warehouse: Path, number: int) -> None:
    fresh = changed_publication(
        published, warehouse / "fresh", f"update marts.publication set code_version = 'number-{number}'"
    )
    fresh.replace(warehouse / "rankings.duckdb")


@click.command()
@click.option("--reruns", default=2000, help="How many pages are shown.")
@click.option("--publications", default=20, help="How many publications they are spread over.")
def main(reruns: int, publications: int) -> None:
    """Show pages of the dashboard of the published rankings, while they are published again and again."""
    found = published_database()
    if not found.exists():
        raise click.ClickException(f"{found}: no such database; `make rankings` publishes it")
    with TemporaryDirectory() as folder:
        published = Path(folder) / "published.duckdb"
        shutil.copyfile(found, published)
        endured = endure(published, Path(folder), reruns, publications)
    click.echo(
        f"{endured.shown:,} pages over {endured.publications} publications, each the right one:"
        f" {endured.early[0] / 1024:,.0f} MiB and {endured.early[1]} open files after a quarter,"
        f" {endured.late[0] / 1024:,.0f} MiB and {endured.late[1]} at the end"
    )


if __name__ == "__main__":
    main()
