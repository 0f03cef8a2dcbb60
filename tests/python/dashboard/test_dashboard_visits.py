"""Visitors of the dashboard while others are published, and for days, in minutes; `make endurance` shows 2,000 pages."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event

import pytest

from support.changed_publications import changed_publication
from support.dashboard_server import Client, Server, Shown, memory_of, open_below, serving

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
        for number in range(_PUBLICATIONS):
            put(publications[number % 2], warehouse)
            over.wait(_PAUSE_SECONDS)
        over.set()
        disturbed = [shown for visited in visits for shown in visited.result()]
        quiet = []
        for publication in publications:
            put(publication, warehouse)
            quiet += visit(server, over)
    assert [shown.texts[0] for shown in quiet] == ["One", "Other"]
    assert [shown.faults for shown in quiet] == [[], []]
    assert [shown for shown in disturbed if shown not in quiet] == []


PAGES = int(os.environ.get("DPTR_PAGES", "160"))
PUBLICATIONS = 20
# What a visitor opens, one after the other: a page and what is in its address.
VISITED = (
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
# How much more memory may be held at the end than half way, when all is loaded, in KiB.
MORE_MEMORY = 60_000


@pytest.mark.long
def test_pages_over_many_publications_are_the_right_ones_and_nothing_grows(
    published: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    memory = []
    with serving(tmp_path) as server:
        for number in range(PUBLICATIONS):
            title = f"update marts.publication set code_version = 'number-{number}'"
            changed_publication(published, tmp_path / "fresh", title).replace(tmp_path / "rankings.duckdb")
            # One visitor, who leaves when the next publication comes.
            client = Client(server)
            for turn in range(PAGES // PUBLICATIONS):
                page, query = VISITED[turn % len(VISITED)]
                shown = client.show(page, query)
                assert shown.faults == [], (page, query)
                assert f"code number\\-{number}\\," in shown.texts[-1], (page, query)
            client.close()
            memory.append(memory_of(server.process))
            with capsys.disabled():
                print(f"publication {number}: {memory[-1] / 1024:,.0f} MiB")  # noqa: T201 (it takes minutes)
            # Sockets are not counted: for two minutes Streamlit keeps those of a visitor who left.
            assert open_below(tmp_path, server.process) == []
    assert memory[-1] - memory[PUBLICATIONS // 2] <= MORE_MEMORY
