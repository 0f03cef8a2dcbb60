"""The pages in Chromium, from the disk: additions by scripts, every screen, and no request that leaves the machine."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from dippouch.db import query
from support.browser import Windows, check_screens, picture_of
from support.site_pages import KINDS

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def windows(browser: Browser) -> Windows:
    """The windows of this module."""
    return Windows(browser, ("file:", "data:", "blob:"))


@pytest.fixture
def opened(windows: Windows, site: Path) -> Iterator[Callable[..., Page]]:
    """A function that opens a page from the disk."""

    def open_page(name: str, screen: str = "light") -> Page:
        page = windows.page(screen)
        page.goto((site / f"{name}.html").as_uri())
        return page

    yield open_page
    windows.check()


@pytest.mark.parametrize("name", KINDS)
def test_every_kind_of_page_fits_every_screen_and_shuts_nobody_out(opened: Callable[..., Page], name: str) -> None:
    page = opened(name)
    expect(page.locator("h1")).to_be_visible()
    for place in page.locator("figure[data-chart]:visible").all():
        expect(place.locator("svg.marks")).to_be_visible()
    check_screens(page, name.replace("/", "_"))
    page = opened(name, "without-scripts")
    expect(page.locator("h1")).to_be_visible()
    picture_of(page, f"site/{name.replace('/', '_')}-without-scripts")


def test_the_ranking_is_searched_sorted_paged_and_filtered(opened: Callable[..., Page]) -> None:
    page = opened("ranking")
    names = page.locator("table[data-rows] tbody th")
    expect(names).to_have_count(50)
    page.locator(".dt-paging").get_by_text("2", exact=True).click()
    expect(page.locator(".dt-info")).to_contain_text("51–100 of 213")
    page.locator("input[data-filter=text]").fill("bjorn")
    expect(names.first).to_have_text("Björn VON KNORRING")
    page.locator("input[data-filter=text]").fill("bjron knoring")
    expect(names).to_have_text(["Björn VON KNORRING"])
    page.locator("input[data-filter=text]").fill("")
    nations = page.locator("select[data-filter=column]")
    nations.select_option(label="Sweden")
    expect(names).to_have_text(["Leif BERGMAN", "Björn VON KNORRING"])
    nations.select_option("")
    heading = page.locator("thead th", has_text="Rating")
    heading.click()
    expect(names.first).to_have_text("Edi BIRSAN")
    heading.click()
    expect(page.locator("table[data-rows] tbody td.rating").first).to_have_text("32.13?")
    page.evaluate("localStorage.setItem('this-is-me', 'leo-pouzanov')")
    page.reload()
    page.locator(".dt-paging").get_by_text("5", exact=True).click()
    expect(page.locator("tr.own th")).to_have_text("Leo POUZANOV")
    page.evaluate("localStorage.clear()")
    page.locator("select[data-go]").select_option(label="End of 2009")
    expect(page.locator("h1")).to_have_text("Ranking at the end of 2009")


def test_the_search_finds_people_tournaments_and_nations_by_keyboard(opened: Callable[..., Page]) -> None:
    page = opened("players/toby-harris")
    field = page.get_by_role("combobox")
    field.fill("knorring bjorn")
    expect(page.get_by_role("option")).to_have_count(1)
    field.fill("bjron knoring")
    expect(page.get_by_role("option").first).to_contain_text("Björn VON KNORRING")
    for typed, label in {
        "wdc 2013": "World DipCon XXIII 2013",
        "columbus": "World DipCon VI 1996",
        "toby-h": "Toby HARRIS",
        "2009": "2009year-end ranking",
    }.items():
        field.fill(typed)
        expect(page.get_by_role("option").first).to_contain_text(label)
    # Ranks and kinds are notes, and another number is no slip.
    for nothing in ("zzzz", "petrov", "14", "nation", "2019"):
        field.fill(nothing)
        expect(page.locator("#found")).to_have_text("Nothing found")
    field.fill("world dipcon")
    expect(page.get_by_role("option")).to_have_count(2)
    field.press("ArrowDown")
    field.press("Enter")
    expect(page.locator("h1")).to_have_text("World DipCon VI 1996")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to content")).to_be_focused()


@pytest.mark.parametrize(
    ("name", "mark"),
    [("players/edi-birsan", ".mark-symbol path"), ("nations/fra", ".mark-symbol path"), ("records", ".mark-rect path")],
)
def test_the_words_of_a_tooltip_are_visible(opened: Callable[..., Page], name: str, mark: str) -> None:
    page = opened(name)
    page.locator(f"figure svg {mark}").first.hover(force=True)
    for cell in page.locator("#vg-tooltip-element td").all():
        # The cell is as wide as its text, on one line.
        assert cell.evaluate("cell => cell.scrollWidth <= cell.clientWidth && cell.clientHeight < 40"), (
            cell.inner_text()
        )
    expect(page.locator("#vg-tooltip-element td.key").first).to_be_visible()
    picture_of(page, f"site/tooltip-{name.replace('/', '_')}")


def test_a_player_has_the_rank_of_every_year_and_of_any_day(opened: Callable[..., Page], published: Path) -> None:
    page = opened("players/buz-eddy")
    rating, rank = page.locator("figure").all()
    expect(rank).to_be_hidden()
    page.get_by_role("button", name="Rank", exact=True).click()
    expect(rank.locator("svg.marks")).to_be_visible()
    expect(rating).to_be_hidden()
    page.get_by_text("Year by year").click()
    ranks = "select year, rank from yearly_ranking where player_id = 'buz-eddy' order by year desc"
    shown = page.get_by_role("table", name="Rank and rating").locator("tbody tr").all()
    assert [[int(cell) for cell in row.locator("td").all_inner_texts()[:2]] for row in shown] == [
        list(row.values()) for row in query(published, ranks)
    ]
    counted = "select count(*) as ranked, any_value(rank) filter (where player_id = 'buz-eddy') as rank"
    for day in ("1996-05-31", "1996-06-01", "2006-02-11", "2006-02-12", "2009-01-24", "2009-01-25", "2020-01-01"):
        (row,) = query(published, f"{counted} from marts.ranking_on(day => '{day}')")
        page.get_by_label("Rank on").fill(day)
        said = f"{row['rank']} of {row['ranked']}" if row["rank"] else "not ranked yet"
        expect(page.locator("output")).to_have_text(said)


@pytest.mark.parametrize(
    ("name", "cells"),
    [
        ("ranking", {"Tournaments": "3", "Last played": "Aug 2013"}),
        ("players/edi-birsan", {"Ended": "25 Aug 2013", "Percentile": "92.67", "Value": "20.00"}),
        ("data", {"Content": "One row per year in which a tournament ended"}),
    ],
)
def test_a_phone_opens_the_columns_that_it_leaves_out(
    opened: Callable[..., Page], name: str, cells: dict[str, str]
) -> None:
    page = opened(name, "phone")
    table = page.locator("table:not(.plain)").last
    opener = table.get_by_role("button", name="More").first
    opener.focus()
    page.keyboard.press("Enter")
    for heading, text in cells.items():
        fact = table.locator(".opened div", has=page.locator("dt", has_text=heading))
        expect(fact.locator("dd")).to_contain_text(text)
    check_screens(page, f"{name.replace('/', '_')}-opened")
    page.set_viewport_size({"width": 390, "height": 844})
    opener.press("Enter")
    expect(table.locator(".opened")).to_have_count(0)


def test_nothing_is_cut_on_a_phone_by_very_long_words(changed_site: Callable[..., Path], windows: Windows) -> None:
    word = "W" * 70
    site = changed_site(
        *(f"update marts.{table} set last_name = '{word}'" for table in ("players", "international_ranking")),
        f"update marts.tournaments set tournament_name = '{word}', place = '{word}'",
        f"update marts.nations set nation_name = '{word}'",
        f"update marts.suspicious_names set reason = '{word}'",
        f"update marts.settings set title = '{word}', note = '{word}', players_word = '{'p' * 30}'",
    )
    page = windows.page("phone")
    page.set_viewport_size({"width": 390, "height": 844})
    for name in KINDS:
        page.goto((site / f"{name}.html").as_uri())
        expect(page.locator("h1")).to_be_visible()
        beyond = "one => one.getBoundingClientRect().right > innerWidth + 1"
        cut = f"[...document.querySelectorAll('body *')].filter({beyond}).map(one => one.outerHTML.slice(0, 200))"
        assert page.evaluate(cut) == [], name
    windows.check()


def test_the_calculator_follows_the_rules_and_refuses_what_cannot_be(opened: Callable[..., Page]) -> None:
    page = opened("rules")
    form = page.locator("form.calculator")
    worked = "Percentile score 88.46, value 15.00: the rating changes by +5.02 to 60.02"
    expect(form.locator("output")).to_contain_text(worked)
    page.get_by_label("World Championship").check()
    expect(form.locator("output")).to_contain_text("value 20.00: the rating changes by +6.69 to 61.69")
    page.get_by_label("Placement").fill("66")
    expect(form.locator("output")).to_contain_text("Placements go from 1")
