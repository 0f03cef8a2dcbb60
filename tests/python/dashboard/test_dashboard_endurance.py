"""The dashboard for days, in minutes: its memory stays as it is, no publication stays open; `make endurance` shows 2,000 pages."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from support.changed_publications import changed_publication
from support.dashboard_server import Client, memory_of, open_below, serving

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
