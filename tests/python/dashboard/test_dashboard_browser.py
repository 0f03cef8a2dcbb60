"""The dashboard in Chromium: every page on every screen, by mouse and address, and nothing that leaves the machine."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, expect

from support.browser import SCREENS, picture_of, shut_out, watched
from support.changed_publications import changed_publication
from support.dashboard_server import Server, serving

# Every page, with what is in its address, and its heading.
VIEWS = {
    "": "Ranking",
    "?day=2009-12-31&among=active": "Ranking on 2009-12-31",
    "player?player=toby-harris&show=moves&rival=cyrille-sevin": "Toby HARRIS",
    "tournament?tournament=wac-6-2009": "WAC 6 2009",
    "nations": "Nations",
    "laboratory?several_rounds_divisor=2&maximum_value=30": "Laboratory",
    "records?list=reigns": "Records",
    "quality?list=printed": "Data",
}
# All but the button of Streamlit's own that stands there while a page is drawn: pale, and gone again.
_OURS = {"include": [["body"]], "exclude": [['[data-testid="stStatusWidget"]']]}
# Streamlit looks below the address of every page for its server, before it finds it at the root.
_LOOKED_FOR = re.compile(r"/(player|tournament|nations|laboratory|records|quality)/_stcore/(health|host-config)$")


@pytest.fixture(scope="module")
def warehouse(published: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A warehouse of this module's own."""
    folder = tmp_path_factory.mktemp("warehouse")
    shutil.copyfile(published, folder / "rankings.duckdb")
    return folder


@pytest.fixture(scope="module")
def server(warehouse: Path, browser: Browser) -> Iterator[Server]:
    """The dashboard of it; none is started where there is no browser."""
    assert browser.is_connected()
    with serving(warehouse) as started:
        yield started


@pytest.fixture
def window(browser: Browser, server: Server) -> Iterator[Callable[..., Page]]:
    """Opens a view."""
    ours = (server.address, server.address.replace("http", "ws"), "data:", "blob:")

    def is_complaint(said: ConsoleMessage) -> bool:
        return said.type == "error" and not _LOOKED_FOR.search(said.location["url"])

    with watched(browser, ours, is_complaint) as open_at:
        yield lambda view, screen="light": open_at(f"{server.address}/{view}", screen)


def complete(page: Page, heading: str) -> None:
    """Wait until a page is drawn, with its charts and tables."""
    expect(page.get_by_role("heading", level=1)).to_have_text(heading, timeout=60_000)
    # What comes below may not be there yet.
    expect(page.get_by_test_id("stApp")).to_have_attribute("data-test-script-state", "notRunning", timeout=60_000)
    expect(page.locator('[data-testid="stSkeleton"]')).to_have_count(0, timeout=60_000)
    expect(page.locator("[data-stale=true]")).to_have_count(0, timeout=60_000)
    for chart in page.locator('[data-testid="stVegaLiteChart"]').all():
        expect(chart.locator("canvas, svg").first).to_be_visible(timeout=60_000)
    for table in page.locator('[data-testid="stDataFrame"]').all():
        expect(table.locator("canvas").first).to_be_visible(timeout=60_000)


@pytest.mark.parametrize("screen", SCREENS)
def test_every_page_fits_every_screen_and_shuts_nobody_out(window: Callable[..., Page], screen: str) -> None:
    """Axe finds nothing serious in what is ours; no page is wider than the screen."""
    faults = []
    for view, heading in VIEWS.items():
        page = window(view, screen)
        complete(page, heading)
        screen_size = SCREENS[screen]["viewport"]
        assert page.evaluate("document.documentElement.scrollWidth") <= screen_size["width"], view
        faults += shut_out(page, screen, _OURS)
        if "DPTR_SCREENSHOTS" in os.environ:
            # Streamlit scrolls within the page, so that a picture of all of it needs a window as high.
            height = page.evaluate("document.querySelector('[data-testid=stMain]').scrollHeight")
            page.set_viewport_size(screen_size | {"height": max(height, 700)})
            complete(page, heading)
            picture_of(page, f"dashboard/{re.sub(r'[^a-z0-9-]+', '_', view) or 'ranking'}-{screen}")
            page.set_viewport_size(screen_size)
    assert faults == []


def test_a_name_in_a_table_leads_to_the_player_and_back(window: Callable[..., Page]) -> None:
    page = window("?day=2009-12-31")
    complete(page, "Ranking on 2009-12-31")
    # The second row of the first table: a canvas has no elements to click on.
    box = page.locator('[data-testid="stDataFrame"]').first.bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + 190, box["y"] + 86)
    complete(page, "Björn VON KNORRING")
    assert page.url.endswith("/player?player=bjorn-von-knorring")
    page.go_back()
    # Streamlit takes back the page, not what was chosen on it.
    expect(page.get_by_role("heading", level=1)).to_have_text(re.compile("^Ranking"))


def test_what_is_chosen_stands_in_the_address_and_can_be_taken_back(window: Callable[..., Page]) -> None:
    for view, choice, address in (
        ("nations", "Rank among nations", r"/nations\?measure=rank$"),
        ("laboratory?maximum_value=100", "The published rules", r"/laboratory$"),
    ):
        page = window(view)
        complete(page, view.partition("?")[0].capitalize())
        before = page.url
        page.get_by_text(choice, exact=True).first.click()
        expect(page).to_have_url(re.compile(address))
        expect(page.get_by_test_id("stAlertContentWarning")).to_have_count(0)
        page.go_back()
        expect(page).to_have_url(before)


def test_the_rows_of_a_table_come_as_csv(window: Callable[..., Page]) -> None:
    page = window("tournament?tournament=wac-6-2009")
    complete(page, "WAC 6 2009")
    with page.expect_download() as download:
        page.get_by_role("button", name="CSV", exact=False).last.click()
    lines = download.value.path().read_text(encoding="utf-8").splitlines()
    assert lines[0].startswith('"placement","player_id"')
    assert len(lines) == 44


def test_a_page_shows_a_new_publication_by_itself(
    window: Callable[..., Page], published: Path, warehouse: Path, tmp_path: Path
) -> None:
    page = window("player?player=edi-birsan")
    complete(page, "Edi BIRSAN")
    other = changed_publication(
        published,
        tmp_path / "other.duckdb",
        "update marts.players set last_name = 'NOVA' where player_id = 'edi-birsan'",
    )
    shutil.copyfile(other, warehouse / "fresh")
    (warehouse / "fresh").replace(warehouse / "rankings.duckdb")
    complete(page, "Edi NOVA")
