"""What a visitor of the dashboard has when other publications take the place of the file while a page is drawn."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event

from support.changed_publications import changed_publication
from support.dashboard_server import Client, Server, Shown, serving

# A page takes longer.
_PAUSE_SECONDS = 0.06
_PUBLICATIONS = 40
# So many that what is sent to them waits.
_VISITORS = 6


def put(publication: Path, warehouse: Path) -> None:
    """Put a file in the place of the published one."""
    fresh = warehouse / "fresh"
    os.link(publication, fresh)
    fresh.replace(warehouse / "rankings.duckdb")


def replace_again_and_again(publications: list[Path], warehouse: Path, over: Event) -> None:
    """Replace the file of a warehouse while pages are drawn, and set the event when that is over."""
    for number in range(_PUBLICATIONS):
        put(publications[number % len(publications)], warehouse)
        over.wait(_PAUSE_SECONDS)
    over.set()


def visit(server: Server, until: Event) -> list[Shown]:
    """What a visitor has who asks for a page, and again until something is over."""
    visitor = Client(server)
    shown = [visitor.show("player", "player=toby-harris")]
    while not until.is_set():
        shown.append(visitor.show("player", "player=toby-harris"))
    visitor.close()
    return shown


def test_a_page_under_which_others_are_published_is_whole_and_of_one_of_them(published: Path, tmp_path: Path) -> None:
    publications = [
        changed_publication(published, tmp_path / f"{title}.duckdb", f"update marts.settings set title = '{title}'")
        for title in ("One", "Other")
    ]
    warehouse = tmp_path / "warehouse"
    warehouse.mkdir()
    put(publications[-1], warehouse)
    over = Event()
    with serving(warehouse) as server, ThreadPoolExecutor(_VISITORS) as visitors:
        visits = [visitors.submit(visit, server, over) for _ in range(_VISITORS)]
        replace_again_and_again(publications, warehouse, over)
        disturbed = [shown for visited in visits for shown in visited.result()]
        quiet = []
        for publication in publications:
            put(publication, warehouse)
            quiet += visit(server, over)
    assert [shown.texts[0] for shown in quiet] == ["One", "Other"]
    assert [shown.faults for shown in quiet] == [[], []]
    assert [shown for shown in disturbed if shown not in quiet] == []
