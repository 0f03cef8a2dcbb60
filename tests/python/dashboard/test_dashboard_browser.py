"""The dashboard in Chromium: every page on every screen, by mouse and address, and nothing that leaves the machine."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Browser, Page, expect

from support.changed_publications import changed_publication
from support.dashboard_server import Server, serving

# Every page, with what is in its address, and its heading.
VIEWS = {
    "": "Ranking",
    "?day=2009-12-31&among=active": "Ranking on 2009-12-31",
    "player?player=toby-harris&with=cyrille-sevin": "Toby HARRIS",
    "player?player=toby-harris&show=moves&rival=cyrille-sevin": "Toby HARRIS",
    "tournament?tournament=wac-6-2009": "WAC 6 2009",
    "nations": "Nations",
    "laboratory?several_rounds_divisor=2&maximum_value=30": "Laboratory",
    "records?list=reigns": "Records",
    "quality?list=printed": "Data",
}
SCREENS: dict[str, dict[str, Any]] = {
    "light": {"viewport": {"width": 1280, "height": 900}, "color_scheme": "light"},
    "dark": {"viewport": {"width": 1280, "height": 900}, "color_scheme": "dark"},
    "phone": {"viewport": {"width": 390, "height": 844}, "color_scheme": "light", "has_touch": True},
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
    """Opens a view; in the end nothing was asked of another machine, and nothing of ours complained."""
    faults: list[str] = []
    windows: dict[str, Page] = {}
    ours = (server.address, server.address.replace("http", "ws"), "data:", "blob:")

    def new(screen: str) -> Page:
        page = browser.new_page(**SCREENS[screen])
        page.on(
            "console",
            lambda said: (
                faults.append(f"{page.url}: {said.text}")
                if said.type == "error" and not _LOOKED_FOR.search(said.location["url"])
                else None
            ),
        )
        page.on("pageerror", lambda error: faults.append(f"{page.url}: {error}"))
        page.on("request", lambda asked: None if asked.url.startswith(ours) else faults.append(asked.url))
        return page

    def open_view(view: str, screen: str = "light") -> Page:
        if screen not in windows:
            windows[screen] = new(screen)
        page = windows[screen]
        page.goto(f"{server.address}/{view}")
        return page

    yield open_view
    for page in windows.values():
        page.close()
    assert faults == []


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
    pictures = os.environ.get("DPTR_SCREENSHOTS")
    faults = []
    for view, heading in VIEWS.items():
        page = window(view, screen)
        complete(page, heading)
        assert page.evaluate("document.documentElement.scrollWidth") <= SCREENS[screen]["viewport"]["width"], view
        found = Axe().run(page, _OURS, options={"resultTypes": ["violations"]}).response["violations"]
        faults += [
            f"{view}: {one['id']} ({one['help']}): {node['html'][:200]}"
            for one in found
            if one["impact"] in {"serious", "critical"}
            for node in one["nodes"]
        ]
        if pictures:
            height = page.evaluate("document.querySelector('[data-testid=stMain]').scrollHeight")
            page.set_viewport_size({"width": SCREENS[screen]["viewport"]["width"], "height": max(height, 700)})
            complete(page, heading)
            kept = Path(pictures) / "dashboard"
            kept.mkdir(parents=True, exist_ok=True)
            page.screenshot(path=kept / f"{re.sub(r'[^a-z0-9-]+', '_', view) or 'ranking'}-{screen}.png")
            page.set_viewport_size(SCREENS[screen]["viewport"])
    assert faults == []


def test_on_a_phone_no_choice_is_out_of_sight_and_figures_stay_together(window: Callable[..., Page]) -> None:
    page = window("", "phone")
    complete(page, "Ranking")
    box = (
        page.get_by_role("radio", name="five years before")
        .or_(page.get_by_text("five years before"))
        .first.bounding_box()
    )
    assert box is not None
    assert box["x"] + box["width"] <= 390
    page = window("player?player=toby-harris", "phone")
    complete(page, "Toby HARRIS")
    boxes = [metric.bounding_box() for metric in page.get_by_test_id("stMetric").all()]
    rows = sorted({(box["y"], box["y"] + box["height"]) for box in boxes if box})
    gaps = [below[0] - above[1] for above, below in pairwise(rows) if below[0] > above[1]]
    assert gaps
    assert max(gaps) < 40


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


# A view with its heading, what is clicked there, and what its address is then.
CHOICES = (
    ("nations", "Nations", "Rank among nations", r"/nations\?measure=rank$"),
    ("laboratory", "Laboratory", "without the maximum of 15", r"/laboratory\?maximum_value=100$"),
    ("laboratory?maximum_value=100", "Laboratory", "The published rules", r"/laboratory$"),
    (
        "player?player=edi-birsan&embed=true",
        "Edi BIRSAN",
        "Head to head",
        r"player=edi-birsan.*show=met|show=met.*player=",
    ),
)


def test_what_is_chosen_stands_in_the_address_and_can_be_taken_back(window: Callable[..., Page]) -> None:
    for view, heading, choice, address in CHOICES:
        page = window(view)
        complete(page, heading)
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
