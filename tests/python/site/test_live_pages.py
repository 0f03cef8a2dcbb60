"""The live pages in Chromium, from a server: answers equal DuckDB's, no request leaves the site, every fault has a message."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import quote, urlencode

import pytest
from playwright.sync_api import Browser, Page, expect

from dippouch.db import query
from dippouch.messages import UserError
from dippouch.site import bundling
from dippouch.site.live_pages import all_questions
from dippouch.site.making import build_site
from support.browser import Windows, check_screens

pytestmark = pytest.mark.browser

_READY = 60_000
_ANSWERED = re.compile("^(?!Start|Reading|Ready|Rating|This page)")
_WHAT_IF = "players/toby-harris.html#field=65&championship=yes"
_ONLY = "This page reads the published file and nothing else"
# Questions that change nothing for the next, the sentence that each gets, and the word that an error marks.
_ODD = (
    ("select * from read_csv('https://example.org/x.csv')", _ONLY, "read_csv"),
    ("select * from 'https://example.org/x.parquet'", _ONLY, "'"),
    ("attach 'https://example.org/x.duckdb' as x", _ONLY, ""),
    ("set enable_external_access = true", _ONLY, ""),
    ("create table rankings.marts.own as select 1", _ONLY, ""),
    (";", "There is no question", ""),
    ("-- nothing", "There is no question", ""),
    ("selec 1", 'Parser error: syntax error at or near "selec"', "selec"),
    ("select timestamp '-infinity'", "A value cannot be shown here; cast it to text", ""),
    ("select list_sum(list_transform(range(300000000), lambda x: x * 2))", "the question may need more memory", ""),
    ("create temp view players as select 7 as x", "0 rows", ""),
    ("create temp macro ranking_on(day := null) as table select 7", "0 rows", ""),
    ("use memory", "0 rows", ""),
    ("commit; create temp view players as select 7 as x; begin", "", ""),
    ("select 1; create temp table players as select 7 as x", "", ""),
    ("/* select */ prepare kept as select 7", "", ""),
    ("execute kept", 'Prepared statement "kept" does not exist', ""),
)
# A query for every function of the published file.
_EVENT = "player => 'toby-harris', tournament_players => 65, tournament_rounds => 4"
_CALLS = {
    "find_player": "'birsan'",
    "head_to_head": "'edi-birsan'",
    "history_under": "maximum_value => 20, excluded_tournaments => ['wac-6-2009']",
    "ranking_between": "day => '2013-12-31', since => '2009-12-31'",
    "ranking_on": "day => '2009-12-31'",
    "ranking_under": "initial_rating => 10, day => '2009-12-31'",
    "rating_by_placement": _EVENT,
    "ratings_with": "map {'toby-harris': 1, 'new-one': 2}, tournament_players => 21, last_day => '2010-05-03'",
    "skill_under": "base_value => 10",
    "what_if": _EVENT,
    "what_it_takes": f"{_EVENT}, rival => 'cyrille-sevin'",
}
_RULES = (
    "initial_rating world_championship_value one_round_divisor several_rounds_divisor base_value maximum_value".split()
)
_RANKING = """
    select rank, default_rank, default_rank - rank as places_gained, player_id, player_name, nation_code,
        if(rank is null, null, rating) as rating, if(default_rank is null, null, default_rating) as default_rating,
        if(rank is null or default_rank is null, null, rating - default_rating) as rating_gained, tournaments_counted
    from marts.ranking_under{} where rank is not null or default_rank is not null
    order by rank nulls last, default_rank nulls last, player_id
"""


@pytest.fixture(scope="module")
def windows(browser: Browser, served: str) -> Windows:
    """The window of this module: a page keeps its database as long as only the choices in its address change."""
    return Windows(browser, (served, f"blob:{served}", "data:"))


@pytest.fixture
def opened(windows: Windows, served: str) -> Iterator[Callable[..., Page]]:
    """A function that opens a query, or a live page; complaints of the page and requests to other sites fail the test."""

    def open_page(question: str = "select 0", address: str = "") -> Page:
        place, _, choices = (address or f"ask.html#q={quote(question)}").partition("#")
        page = windows.page()
        page.goto("about:blank")
        page.goto(f"{served}{place}#{choices}")
        expect(_status(page)).to_have_text(_ANSWERED if address else re.compile("^(Ready|Press)"), timeout=_READY)
        return page

    yield open_page
    windows.check()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A window for one test, which may complain."""
    page = browser.new_page()
    yield page
    page.close()


def test_a_question_in_the_address_waits_for_run_and_its_answer_is_text(opened: Callable[..., Page]) -> None:
    hostile = "<img src=x onerror=alert(1)>"
    page = opened(f"select '{hostile}' as \"{hostile}\", 'edi-birsan' as player_id, null as tournament_id")
    expect(page.locator("#answer table")).to_have_count(0)
    _run(page)
    expect(page.locator("#answer td").first).to_have_text(hostile)
    expect(page.locator("#answer th").first).to_have_text(hostile)
    expect(page.locator("#answer img")).to_have_count(0)
    page.get_by_role("link", name="edi-birsan").click()
    expect(page.locator("h1")).to_have_text("Edi BIRSAN")


def test_a_chosen_question_is_answered_in_view_and_no_rows_stand_below_another_query(
    opened: Callable[..., Page], published: Path
) -> None:
    page = opened("select player_name, rating, round(rating, 1), -1e-9 from international_ranking where rank = 1")
    _run(page)
    (best,) = query(published, "select player_name, rating from international_ranking where rank = 1")
    shown = page.locator("#answer tbody td")
    expect(shown).to_have_text([best["player_name"], f"{best['rating']:.4f}", f"{best['rating']:.1f}", "-1e-9"])
    assert float(_rows(page)[1][1]) == best["rating"]
    page.get_by_role("textbox", name="SQL").press("Space")
    expect(_status(page)).to_contain_text("These rows answer the query before your changes.")
    _choose(page, f"q={quote('select count(*) from range(100000000000)')}")
    expect(shown).to_have_count(0)
    for _ in range(2):
        page.locator(".questions a").last.click()
        _await_answer(page)
        expect(shown.first).to_be_in_viewport()
        expect(page.locator(".cm-content")).to_contain_text(list(all_questions())[-1].sql.splitlines()[0])
        page.get_by_role("textbox", name="SQL").fill("select 0")


def test_every_question_mart_and_function_has_the_rows_of_native_duckdb(
    opened: Callable[..., Page], published: Path
) -> None:
    page = opened()
    questions = list(all_questions())
    # In none of the four tournaments was half of the field ranked before.
    answered = [question.text for question in questions if "performances" not in question.text]
    assert page.locator(".questions a").all_inner_texts() == answered
    functions = query(published, "select function_name as name from duckdb_functions() where schema_name = 'marts'")
    assert sorted(row["name"] for row in functions) == list(_CALLS)
    asked = {f"from marts.{name}({arguments}) order by all": "" for name, arguments in _CALLS.items()}
    of_mart = "from duckdb_views() where database_name = 'published' and schema_name = 'main'"
    for row in query(published, f"select view_name as name {of_mart}"):
        asked[f"from {row['name']} order by all"] = "where is_default" if row["name"] == "rating_systems" else ""
    for sql, only in ({question.sql: "" for question in questions} | asked).items():
        _ask(page, sql)
        native = query(
            published, f"select columns(*)::varchar from ({sql.replace(' order', f' {only} order') if only else sql})"
        )
        assert [[value or "" for value in row.values()] for row in native] == (_rows(page)[1:] if native else []), sql


def test_odd_questions_have_a_sentence_each_and_change_nothing_for_the_next(opened: Callable[..., Page]) -> None:
    page = opened()
    for question, said, marked in _ODD:
        _ask(page, question)
        expect(_status(page)).to_contain_text(said)
        expect(_status(page)).not_to_contain_text("exception_type")
        if said == _ONLY:
            expect(page.locator("#answer table")).to_have_count(0)
        if marked:
            expect(page.locator(".cm-lintRange-error")).to_have_text(marked)
    _ask(page, "select (select count(*) from players), count(*) from ranking_on(day => '2010-01-01'::date)")
    assert _rows(page)[1:] == [["237", "151"]]


@pytest.mark.parametrize("name", ["index", "ask", "players/edi-birsan"])
def test_neither_a_page_nor_its_worker_may_connect_to_another_origin(page: Page, served: str, name: str) -> None:
    page.goto(f"{served}{name}.html")
    tried = "addEventListener('securitypolicyviolation', e => done(e.effectiveDirective)); fetch('http://127.0.0.1:9/').catch(() => {})"
    assert page.evaluate(f"new Promise(done => {{ {tried} }})") == "connect-src"
    refused = page.evaluate(
        """source => new Promise(done => {
            addEventListener('securitypolicyviolation', e => done(e.effectiveDirective));
            const worker = new Worker(URL.createObjectURL(new Blob([source])));
            worker.onmessage = e => done(`worker: ${e.data}`);
        })""",
        f"const done = postMessage; {tried}",
    )
    assert refused == ("worker-src" if name == "index" else "worker: connect-src")


def test_a_long_question_is_cancelled_and_the_next_is_answered(opened: Callable[..., Page]) -> None:
    page = opened("select count(*) from range(100000000000)")
    page.get_by_role("button", name="Run").click()
    page.get_by_role("button", name="Cancel").click()
    expect(_status(page)).to_have_text("Cancelled.", timeout=_READY)
    _ask(page, "select range as number from range(1000000)")
    expect(_status(page)).to_contain_text("The answer has more rows: these are the first 10,000")
    assert len(_rows(page)) == 10_001


def test_the_keyboard_asks_completes_and_leaves_the_editor(opened: Callable[..., Page]) -> None:
    page = opened()
    page.get_by_role("textbox", name="SQL").focus()
    page.keyboard.press("Control+a")
    page.keyboard.type("select count(*) as players from international_r", delay=5)
    expect(page.locator(".cm-completionInfo")).to_contain_text("One row per rating system and ranked player")
    # The editor ignores Enter right after the list opens, to avoid accidental choices.
    page.wait_for_timeout(200)
    page.keyboard.press("Enter")
    page.keyboard.press("Control+Enter")
    expect(page.locator("#answer tbody")).to_have_text("213")
    page.keyboard.press("Escape")
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Run")).to_be_focused()


def test_the_page_of_questions_fits_every_screen_as_table_and_as_chart(opened: Callable[..., Page]) -> None:
    page = opened("select year, player_name, rating from yearly_ranking where rank <= 3 order by year, rank, player_id")
    _run(page)
    check_screens(page, "ask")
    page.get_by_label("Show as").select_option(label="Chart: rating by year")
    expect(page.locator("#answer svg.marks")).to_be_visible()
    check_screens(page, "ask-chart")


def test_random_rules_rank_and_predict_as_native_duckdb_does(opened: Callable[..., Page], published: Path) -> None:
    page = opened(address="laboratory.html")
    check_screens(page, "laboratory")
    page.get_by_label("Initial rating, slider").press("ArrowRight")
    expect(page).to_have_url(re.compile("#initial_rating=41$"))
    random = Random(5)  # noqa: S311 (not for security)
    tournaments = [row["tournament_id"] for row in query(published, "select tournament_id from tournaments order by 1")]
    for _ in range(5):
        rules: dict[str, Any] = {
            name: round(random.uniform(0.5, 60), 1) for name in random.sample(_RULES, random.randint(0, 6))
        }
        days = {
            name: f"{random.randint(1995, 2012)}-06-30" for name in ("first_counted_on", "day") if random.random() < 0.3
        }
        if random.random() < 0.3:
            rules["counted_years"] = random.randint(0, 20)
        without = random.sample(tournaments, random.randint(0, 2))
        arguments = [f"{name} => {value}" for name, value in rules.items()]
        arguments += [f"{name} => date '{day}'" for name, day in days.items()] + [f"excluded_tournaments => {without}"]
        called = f"({', '.join(arguments)})"
        _rate(page, urlencode(rules | days | ({"without": ",".join(without)} if without else {})))
        assert _native(published, _RANKING.format(called)) == _rows(page)[1:], called
        (skill,) = query(published, f"select avg(concordance) as share from marts.skill_under{called}")
        share = "–" if skill["share"] is None else f"{100 * skill['share']:.2f} %"
        expect(page.locator("#share")).to_have_text(share)


def test_the_ranking_of_the_laboratory_is_searched_and_marks_the_reader_until_it_is_taken_back(
    opened: Callable[..., Page], published: Path
) -> None:
    page = opened(address="players/cyrille-sevin.html")
    page.get_by_role("button", name="This is me").click()
    expect(page.get_by_role("table", name="Neighbours").locator("tr.own")).to_have_text(re.compile("Cyrille SEVIN"))
    page = opened(address="laboratory.html#initial_rating=20&nation=FRA")
    ranked = "from marts.ranking_under(initial_rating => 20) where nation_code = 'FRA' and rank is not null"
    french = [row["player_id"] for row in query(published, f"{ranked} order by rank, player_id")]
    assert [row[3] for row in _rows(page)[1:]] == french
    page.locator("#answer").get_by_label("Search").fill("cyrile sevn")
    expect(page.locator("#ranking tbody tr")).to_have_text(re.compile("Cyrille SEVIN"))
    expect(page.locator("#ranking tr.own")).to_have_count(1)
    expect(page).to_have_url(re.compile("#initial_rating=20&search=cyrile%20sevn&nation=FRA$"))
    without = page.get_by_label("Without these")
    without.fill("paris")
    expect(page.get_by_role("listbox").get_by_role("option")).to_contain_text("World DipCon XXIII 2013, 25 Aug 2013")
    page.locator("#answer").get_by_label("Search").fill("nobody at all")
    expect(page.locator("#ranking")).to_have_text("None found.")
    page = opened(address="compare.html#players=toby-harris,cyrille-sevin")
    expect(page.locator("#standings tr.own")).to_have_text(re.compile("Cyrille SEVIN"))
    page = opened(address="players/cyrille-sevin.html")
    page.get_by_role("button", name="This is not me").click()
    expect(page.locator("tr.own")).to_have_count(0)


def test_the_ranking_of_any_day_has_the_rows_of_native_duckdb(opened: Callable[..., Page], published: Path) -> None:
    page = opened(address="day.html#day=2009-12-31&nation=USA&x=%&active=yes")
    check_screens(page, "day")
    for said, choices, rank, between, only in (
        ("since 31 Dec 2008", "", "active_rank", ("2009-12-31", "2008-12-31"), "nation_code = 'USA' and is_active"),
        (
            "1 of 110 players at",
            "day=2006-02-12&since=1990-01-01&search=bjron",
            "rank",
            ("2006-02-12", "1990-01-01"),
            "first_name = 'Björn'",
        ),
    ):
        if choices:
            _choose(page, choices)
        expect(_status(page)).to_contain_text(said)
        native = f"""
            select {rank}, places_gained, player_id, first_name, last_name, nation_code, nation_name, national_rank, rating,
                rating_gained, tournaments_counted, last_played_on
            from marts.ranking_between(day => '{between[0]}', since => '{between[1]}') where {only} order by {rank}, player_id
        """
        assert _native(published, native) == _rows(page)[1:]
    page.get_by_role("searchbox").fill("nobody at all")
    expect(page.locator("#answer")).to_have_text("None found.")
    expect(_status(page)).to_contain_text("0 of 110 players at")
    page.get_by_label("As of").fill("1990-01-01")
    expect(_status(page)).to_contain_text("Nobody was ranked")
    expect(page.locator("#answer")).to_be_empty()


def test_a_missing_page_below_any_folder_leads_back(page: Page, served: str) -> None:
    page.goto(f"{served}players/a/nobody.html")
    check_screens(page, "404")
    expect(page.locator("body")).to_have_css("margin", "0px")
    page.get_by_role("link", name="The first page").click()
    expect(page).to_have_url(f"{served}index.html")


def test_compared_players_have_the_rows_of_native_duckdb(opened: Callable[..., Page], published: Path) -> None:
    page = opened(address="compare.html#players=edi-birsan,chris-brand,toby-harris,larry-peery")
    check_screens(page, "compare")
    known = [row["player_id"] for row in query(published, "select player_id from players order by player_id")]
    random = Random(24)  # noqa: S311 (no secret)
    for number in (1, 2, 8):
        players = random.sample(known, number) if number > 1 else ["edi-birsan"]
        _choose(page, f"players={','.join(players)}")
        expect(page.locator("#answer")).to_have_attribute("data-of", ",".join(players))
        meetings = " union all ".join(
            f"""(select '{player}' as player_id, players.player_name, opponent_id, opponent_name, tournaments,
                times_ahead, times_behind, times_level, last_met_on
            from marts.head_to_head('{player}'), players where players.player_id = '{player}' and opponent_id in {players[i:]}
            order by list_position({players}, opponent_id))"""
            for i, player in enumerate(players, 1)
            if players[i:]
        )
        native = _native(published, meetings) if meetings else []
        section = page.locator("section:has(#meetings)")
        expect(section).to_be_visible(visible=bool(native))
        assert not native or native == _rows(page, section)[1:], players


def test_what_if_has_the_rows_of_native_duckdb(opened: Callable[..., Page], published: Path) -> None:
    player, event, rival = "toby-harris", (65, 3, False), "leif-bergman"
    called = "tournament_players => ?, tournament_rounds => ?, championship => ?"
    columns = "placement, percentile_score, tournament_value, rating_before, rating_change, rating_after, rank_before, rank_after"
    moved = f"select {columns}, rank_before - rank_after as gained from marts.what_if(player => ?, {called}) order by 1"
    page = opened(address=f"players/{player}.html#field=65&rounds=3")
    native = _native(published, moved, player, *event)
    expect(_status(page)).to_contain_text(f"worth {float(native[0][2]):.2f}", timeout=_READY)
    assert _rows(page)[1:] == native
    # By default the rival is the next one above.
    takes = f"from marts.what_it_takes(player => ?, rival => ?, {called}) order by rival_placement nulls first"
    _, first, *_ = query(published, takes, [player, rival, *event])
    row = page.get_by_role("region", name="To be ahead of").locator("tbody tr").first
    expect(row).to_contain_text(f"{first['rival_placement']:,}")
    expect(row).to_contain_text(f"{first['rival_rating']:.2f}")


def test_nothing_live_is_fetched_before_the_section_is_opened_by_keyboard(opened: Callable[..., Page]) -> None:
    page = opened(address="players/toby-harris.html")
    fetched: list[str] = []
    page.on("request", lambda asked: fetched.append(asked.url))
    page.reload()
    expect(page.get_by_label("Rank on")).to_be_visible()
    assert not [address for address in fetched if "live" in address]
    page.locator("summary").focus()
    page.keyboard.press("Enter")
    expect(_status(page)).to_contain_text("keeps 51.60", timeout=_READY)
    page.keyboard.press("Tab")
    page.keyboard.type("120")
    rival = page.get_by_label("Rival")
    rival.fill("birsan edi")
    expect(page.get_by_role("option")).to_have_count(1)
    rival.press("Enter")
    expect(page).to_have_url(re.compile("#field=120&rival=edi-birsan$"))
    expect(page.get_by_role("heading", name="To be ahead of Edi BIRSAN")).to_be_visible()
    check_screens(page, "players/toby-harris")


@pytest.mark.parametrize(
    ("address", "broken", "said"),
    [
        ("ask.html", "data/live-*.bin", "The database could not be read."),
        ("ask.html", "assets/live/engine-*.bin", "The database could not be read."),
        ("ask.html", "assets/live/ask-*.js", "A script of this page could not be read."),
        (_WHAT_IF, "data/live.json", "A script of this page could not be read."),
    ],
)
def test_a_half_published_site_an_old_browser_and_a_page_from_the_disk_have_messages(
    page: Page, served: str, site: Path, address: str, broken: str, said: str
) -> None:
    page.goto(f"{site.as_uri()}/{address}")
    expect(_status(page)).to_contain_text("dptr serve")
    # Some hosts answer with a page instead of a missing file.
    is_page = "engine" in broken
    page.route(f"**/{broken}", lambda route: route.fulfill(status=200 if is_page else 404, body="<!DOCTYPE html>"))
    page.goto(served + address)
    expect(_status(page)).to_contain_text(said, timeout=_READY)
    expect(page.locator("h2").first).to_be_visible()
    page.add_init_script("delete window.DecompressionStream")
    page.reload()
    expect(_status(page)).to_contain_text("This browser is too old for live pages")


def test_a_page_that_finds_a_newer_publication_says_so(page: Page, served: str, site: Path) -> None:
    given = json.loads((site / "data" / "live.json").read_text(encoding="utf-8"))
    page.route("**/data/live.json", lambda route: route.fulfill(json=given | {"publication": "another"}))
    page.goto(served + _WHAT_IF)
    expect(page.locator("#newer")).to_contain_text("The rankings were published again after this page was opened")


def test_a_site_whose_scripts_cannot_be_bundled_has_no_live_pages_and_says_so(
    published: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bundling, "_KEPT", tmp_path / "kept")
    monkeypatch.setattr(bundling, "_PATH", str(tmp_path / "bin"))
    with pytest.raises(UserError, match="found no Node 20 or later with npm; `make"):
        bundling.bundled_scripts()
    (tmp_path / "bin").mkdir()
    for name, does in (("node", "echo v24.1.0"), ("npm", "echo npm error code ENOTFOUND >&2; exit 1")):
        (tmp_path / "bin" / name).write_text(f"#!/bin/sh\n{does}\n", encoding="utf-8")
        (tmp_path / "bin" / name).chmod(0o755)
    made = build_site(published, tmp_path / "site", print)
    assert made.without_live_pages == "their scripts could not be bundled: npm ci failed (code ENOTFOUND)"
    assert not (tmp_path / "site" / "ask.html").exists()
    assert "ask.html" not in (tmp_path / "site" / "index.html").read_text(encoding="utf-8")


def _status(page: Page) -> Any:  # noqa: ANN401 (a locator)
    return page.locator("#status")


def _choose(page: Page, choices: str) -> None:
    """Change the choices in the address of a page, as a link would, and wait for another status than that of the earlier ones."""
    page.evaluate("document.getElementById('status').textContent = 'Reading'")
    page.goto(f"{page.url.partition('#')[0]}#{choices}")


def _rate(page: Page, rules: str) -> None:
    _choose(page, rules)
    expect(page.locator("#answer")).to_have_attribute("data-of", f"#{rules}" if rules else "", timeout=_READY)
    expect(_status(page)).to_contain_text("Rated again")


def _run(page: Page) -> None:
    page.get_by_role("button", name="Run").click()
    _await_answer(page)


def _await_answer(page: Page) -> None:
    expect(_status(page)).not_to_have_text(re.compile("^(Asking|Waiting|Press|Ready|Reading)"), timeout=_READY)
    expect(page.get_by_role("button", name="Cancel")).to_be_hidden()


def _ask(page: Page, question: str) -> None:
    """Ask another question, and wait for its answer or error."""
    _choose(page, f"q={quote(question)}")
    _await_answer(page)


def _rows(page: Page, part: Any = None) -> list[list[str]]:  # noqa: ANN401 (a locator)
    with page.expect_download() as saved:
        (part or page).get_by_role("button", name="CSV").click()
    return list(csv.reader(io.StringIO(Path(saved.value.path()).read_text(encoding="utf-8"))))


def _native(database: Path, sql: str, *values: object) -> list[list[str]]:
    """Return the rows of native DuckDB as a page writes them."""
    return [list(map(_text, row.values())) for row in query(database, sql, values)]


def _text(value: object) -> str:
    if value is None:
        return ""
    return str(value).lower() if isinstance(value, bool) else str(value)
