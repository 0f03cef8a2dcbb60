"""The pages in Chromium, from the disk: what scripts add, every screen, and nothing that leaves the machine."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from datetime import date
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Browser, Page, expect

from dippouch.rating.rules import percentile_score, tournament_value, updated_rating
from support.loops import exact_rules
from support.site_pages import KINDS

_COMPLAINTS = frozenset({"error", "warning"})
_LOCAL = ("file:", "data:", "blob:")

SCREENS: dict[str, dict[str, Any]] = {
    "light": {"viewport": {"width": 1280, "height": 900}, "color_scheme": "light"},
    "dark": {"viewport": {"width": 1280, "height": 900}, "color_scheme": "dark"},
    "phone": {"viewport": {"width": 390, "height": 844}, "color_scheme": "light", "has_touch": True},
    "without-scripts": {"viewport": {"width": 1280, "height": 900}, "java_script_enabled": False},
}


@pytest.fixture
def opened(browser: Browser, site: Path) -> Iterator[Callable[..., Page]]:
    """Opens a page from the disk, in one window a screen; in the end nothing was asked of a network, and no script complained."""
    faults: list[str] = []
    windows: dict[str, Page] = {}

    def window(screen: str) -> Page:
        page = browser.new_page(**SCREENS[screen])
        page.on("console", lambda said: faults.append(f"{page.url}: {said.text}") if said.type in _COMPLAINTS else None)
        page.on("pageerror", lambda error: faults.append(f"{page.url}: {error}"))
        page.on("request", lambda asked: None if asked.url.startswith(_LOCAL) else faults.append(asked.url))
        return page

    def open_page(name: str, screen: str = "light") -> Page:
        if screen not in windows:
            windows[screen] = window(screen)
        windows[screen].goto((site / f"{name}.html").as_uri())
        return windows[screen]

    yield open_page
    for page in windows.values():
        page.close()
    assert faults == []


@pytest.mark.parametrize("screen", SCREENS)
def test_every_kind_of_page_fits_every_screen(opened: Callable[..., Page], screen: str) -> None:
    pictures = os.environ.get("DPTR_SCREENSHOTS")
    for name in KINDS:
        page = opened(name, screen)
        expect(page.locator("h1")).to_be_visible()
        if screen != "without-scripts":
            for place in page.locator("figure[data-chart]").all():
                expect(place.locator("svg.marks")).to_be_visible()
            width = page.evaluate("document.documentElement.scrollWidth")
            assert width <= SCREENS[screen]["viewport"]["width"], (name, width)
        if pictures:
            kept = Path(pictures) / "site"
            kept.mkdir(parents=True, exist_ok=True)
            page.screenshot(path=kept / f"{name.replace('/', '_')}-{screen}.png", full_page=True)


# All that axe knows on every kind of page, and what another screen can change: colours, and what no longer fits.
AUDITS: dict[str, tuple[tuple[str, ...], dict[str, Any]]] = {
    "light": (KINDS, {}),
    "dark": (("index", "players/edi-birsan", "rules", "data", "nations/fra"), {"runOnly": ["color-contrast"]}),
    "phone": (KINDS, {"runOnly": ["scrollable-region-focusable"]}),
}


@pytest.mark.parametrize("screen", AUDITS)
def test_nobody_is_shut_out(opened: Callable[..., Page], screen: str) -> None:
    """Axe finds nothing serious: contrast, names, order, tables."""
    names, options = AUDITS[screen]
    faults = []
    for name in names:
        page = opened(name, screen)
        if page.locator("figure[data-chart]").count():
            expect(page.locator("svg.marks").first).to_be_visible()
        # Style sheets are read by a request, which no page from a disk may make.
        found = (
            Axe().run(page, options={"preload": False, "resultTypes": ["violations"], **options}).response["violations"]
        )
        faults += [
            f"{name}: {one['id']} ({one['help']}): {one['nodes'][0]['html'][:120]}"
            for one in found
            if one["impact"] in {"serious", "critical"}
        ]
    assert faults == []


def test_the_ranking_is_searched_sorted_paged_and_filtered(opened: Callable[..., Page]) -> None:
    page = opened("ranking")
    names = page.locator("table[data-rows] tbody th")
    expect(names).to_have_count(50)
    expect(names.first).to_have_text("Edi BIRSAN")
    page.locator(".dt-paging").get_by_text("2", exact=True).click()
    expect(page.locator(".dt-info")).to_contain_text("51–100 of 213")
    page.locator("input[data-filter=text]").fill("knorring")
    expect(names).to_have_text(["Björn VON KNORRING"])
    page.locator("input[data-filter=text]").fill("bjorn")
    expect(names.first).to_have_text("Björn VON KNORRING")
    page.locator("input[data-filter=text]").fill("")
    nations = page.locator("select[data-filter=column]")
    nations.select_option(label="Sweden")
    expect(names).to_have_text(["Leif BERGMAN", "Björn VON KNORRING"])
    nations.select_option("")
    heading = page.locator("thead th", has_text="Rating")
    heading.click()
    expect(names.first).to_have_text("Edi BIRSAN")
    heading.click()
    expect(page.locator("table[data-rows] tbody td.rating").first).to_have_text("32.13")
    page.get_by_role("link", name="Active since 2008").click()
    expect(page.locator("h1")).to_contain_text("active")
    page.locator("select[data-go]").select_option(label="End of 2009")
    expect(page.locator("h1")).to_have_text("Ranking at the end of 2009")


def test_a_table_looks_alike_with_and_without_scripts(opened: Callable[..., Page]) -> None:
    for name in ("ranking", "ranking_2", "tournaments", "active"):
        rows = [
            [text.split() for text in opened(name, screen).locator("table[data-rows] tbody tr").all_inner_texts()]
            for screen in ("light", "without-scripts")
        ]
        assert rows[0] == rows[1], name


def test_the_search_finds_people_tournaments_and_nations_by_keyboard(opened: Callable[..., Page]) -> None:
    page = opened("players/toby-harris")
    field = page.get_by_role("combobox")
    field.fill("du pontavice")
    expect(page.get_by_role("option").first).to_contain_text("Emmanuel DU PONTAVICE")
    field.fill("knorring bjorn")
    expect(page.get_by_role("option")).to_have_count(1)
    field.fill("world dipcon")
    expect(page.get_by_role("option")).to_have_count(2)
    field.press("ArrowDown")
    field.press("Enter")
    expect(page.locator("h1")).to_have_text("World DipCon VI 1996")
    page.get_by_role("combobox").fill("swed")
    page.get_by_role("option").first.click()
    expect(page.locator("h1")).to_have_text("Sweden")


def test_without_scripts_every_row_can_be_reached(opened: Callable[..., Page]) -> None:
    page = opened("ranking", "without-scripts")
    page.get_by_role("link", name="Page 5").click()
    expect(page.locator("tbody tr")).to_have_count(13)
    expect(page.locator(".with-scripts").first).to_be_hidden()


def test_the_calculator_gives_the_worked_example_and_refuses_what_cannot_be(opened: Callable[..., Page]) -> None:
    page = opened("rules")
    output = page.locator("form.calculator output")
    expect(output).to_contain_text("Percentile score 88.46, value 15.00: the rating changes by +5.02 to 60.02")
    page.get_by_label("Placement").fill("66")
    expect(output).to_contain_text("Placements go from 1")


@pytest.mark.parametrize(
    ("rating", "players", "placement", "rounds", "is_championship"),
    [
        (40, 7, 7, "1", False),
        (99.5, 20, 1, "1", False),
        (40, 45, 23, "2", False),
        (0, 300, 299, "2", False),
        (55, 9, 1, "2", True),
    ],
)
def test_the_calculator_follows_the_rules(
    opened: Callable[..., Page], rating: float, players: int, placement: int, rounds: str, is_championship: bool
) -> None:
    page = opened("rules")
    rules = json.loads(page.locator("form.calculator").get_attribute("data-rules") or "")
    exact = exact_rules(rules | {"initial_rating": 40})
    for name, value in (("rating", rating), ("players", players), ("placement", placement)):
        page.locator(f"input[name={name}]").fill(str(value))
    page.locator("select[name=rounds]").select_option(rounds)
    page.locator("input[name=championship]").set_checked(is_championship)
    score = percentile_score(players, placement)
    worth = tournament_value(
        exact, is_world_championship=is_championship, ended_on=date(2000, 1, 1), players=players, rounds=int(rounds)
    )
    after = updated_rating(Fraction(str(rating)), score, worth)
    change = after - Fraction(str(rating))
    expect(page.locator("form.calculator output")).to_have_text(
        f"Percentile score {float(score):.2f}, value {float(worth):.2f}: the rating changes by"
        f" {'+' if change >= 0 else '−'}{abs(float(change)):.2f} to {float(after):.2f}."
    )


def test_a_page_can_be_used_by_keyboard_alone(opened: Callable[..., Page]) -> None:
    page = opened("index")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to content")).to_be_focused()
    page.keyboard.press("Enter")
    assert page.url.endswith("#main")
