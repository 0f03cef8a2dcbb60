"""The page "Hand in a result" in Chromium: what a director hands in imports without a question, and gives the ratings that it showed."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest
from playwright.sync_api import Browser, Page, expect

from dippouch.db import query
from dippouch.site.serving import site_server
from support.browser import Windows, check_screens, served_by
from support.compiled import Warehouse
from support.programs import done, run_here

pytestmark = pytest.mark.browser

_LABELS = ("Name of", "First day", "Last day", "Players, listed", "Rounds")
_TITLES = """
rows => rows.filter(row => row.querySelector("select").value !== "*").map(row => row.querySelector(".rating").title)
"""
# Notes every text that names the file, and chooses while the page asks the database for the ratings of an earlier choice.
_CHOOSE_DURING_QUERY = """
(choice, label) => new Promise((resolve) => {
  const tell = () => choice.dispatchEvent(new Event("input", { bubbles: true }));
  const explanation = document.getElementById("explanation");
  window.explanations = [];
  new MutationObserver(() => window.explanations.push(explanation.textContent)).observe(explanation, { childList: true });
  new MutationObserver((_, observer) => {
    observer.disconnect();
    setTimeout(() => {
      choice.value = [...choice.options].find((option) => option.label === label).value;
      tell();
      resolve();
    });
  }).observe(choice, { childList: true });
  tell();
})
"""


class Case(NamedTuple):
    """What a director states, pastes and answers, and the option that the page names to the keeper."""

    facts: tuple[str, str, str, str, str]
    kind: str
    standings: str
    answers: dict[str, str]
    same: str = ""
    option: str = ""


CASES = {
    # Between known tournaments, so that later steps change, and with a title that would be a question.
    "headings": Case(
        ('World DipCon, "Spring" warm-up', "2012-05-05", "2012-05-06", "9", "3"),
        "Ordinary",
        "Final standings\n\nRank;First name;Surname;Country;Points\n1;Edi;Birsan;USA;112,5\n=2;Bob;Zahn;;98\n"
        '=2;"Ann";Newcomer;France;98\n4;Cyrille;Sevin;BEL;\n5;Zoë;O’Brien;USA;3\n6;Total;;;311\n6e;;Civil Disorder;;-\nDNF;Gwen;Maggi;;',
        {
            "Bob Zahn": "Robert ZAHN",
            "Cyrille Sevin": "Cyrille SEVIN, FRA, rank 3",
            "Total": "nobody: leave it out",
            "Civil Disorder": "nobody: leave it out",
        },
    ),
    "list": Case(
        ("Club Cup", "2005-01-31", "", "9", "3"),
        "World Championship (WDC)",
        "# The 3rd club cup\n1 E. Birsan, 1,112.937 points\n2-3 Toby Harris\nT2 John Smith (United States) 98\n4th place: Leif Bergman - 12\n- TJ Harris",
        {"E. Birsan": "Edi BIRSAN, USA, rank 1", "John Smith": "somebody new", "TJ Harris": "somebody new"},
    ),
    "capitals": Case(
        ("Paris by Night", "2013-08-24", "2013-08-26", "9", "1"),
        "Ordinary",
        "Pos\tPlayer\tNat\n1\tHARRIS Toby\tGBR\n2\tSEVIN Cyrille\tFRA\n3\tBIRZAM, Edi\t\n4\tNew VAN DER PERSON\t\n",
        {"BIRZAM, Edi": "Edi BIRSAN, USA, rank 1"},
        "No, another tournament",
        " --another-event",
    ),
    "known": Case(
        ("DipCon in Paris", "2013-08-23", "2013-08-25", "75", "3"),
        "Ordinary",
        "Place,Name\n1,Toby HARRIS\n2,Cyrille SEVIN\n8,Emmanuel DU PONTAVICE\n73,New PERSON\n",
        {},
        "Yes: World DipCon XXIII 2013, 2013-08-25, with 3 of these people",
        " --replace",
    ),
}


@pytest.fixture(scope="module")
def windows(browser: Browser, served: str) -> Windows:
    """The windows of this module, which may request nothing but the site."""
    return Windows(browser, (served, f"blob:{served}", "data:"))


def _fill(page: Page, served: str, case: Case) -> None:
    page.goto(f"{served}hand_in.html")
    form = page.locator("#controls")
    expect(form).to_be_visible(timeout=60_000)
    for label, value in zip(_LABELS, case.facts, strict=True):
        form.get_by_label(label).fill(value)
    form.get_by_label("Kind").select_option(label=case.kind)
    form.get_by_label("Standings").fill(case.standings)
    expect(page.locator("#status")).to_have_text(re.compile("To do|Nothing is open"))


@pytest.mark.parametrize("name", CASES)
def test_what_a_director_hands_in_imports_without_a_question_and_gives_the_shown_ratings(
    windows: Windows, served: str, seeds: Path, warehouse: Warehouse, tmp_path: Path, name: str
) -> None:
    case, page = CASES[name], windows.page("phone" if name == "list" else "light")
    _fill(page, served, case)
    for listed, person in case.answers.items():
        page.get_by_label(f"Who is {listed}?").select_option(label=person)
    if case.same:
        expect(page.locator("#status")).to_contain_text("say whether this is a known tournament")
        page.get_by_label("Is this a known").evaluate(_CHOOSE_DURING_QUERY, case.same)
    expect(page.locator("#status")).to_contain_text("Nothing is open: the file is below.")
    shown = page.locator("#people tr").evaluate_all(_TITLES)
    with page.expect_download() as saved:
        page.get_by_role("button", name="Download").click()
    file = tmp_path / saved.value.suggested_filename
    saved.value.save_as(file)
    expect(page.locator("#explanation")).to_contain_text(f"“dptr import {file.name}{case.option}”")
    if case.option:
        assert len(page.evaluate("explanations")) == 1
        assert run_here("import", file, "--seeds", seeds).returncode == 1
    done(run_here("import", file, "--seeds", seeds, *case.option.split()))
    warehouse.build(seeds)
    warehouse.save(tmp_path / "build.duckdb")
    ratings = {row["player_id"]: row["rating"] for row in query(tmp_path / "build.duckdb", "from marts.players")}
    table = csv.DictReader(file.read_text(encoding="utf-8").partition("\n\n")[2].splitlines())
    people = [row["player_id"] for row in table]
    assert [float(rating) if rating else None for rating in shown] == [
        ratings[player] if rating else None for player, rating in zip(people, shown, strict=True)
    ]
    assert len([rating for rating in shown if rating]) >= 4
    if name in ("headings", "list"):
        check_screens(page, f"hand_in-{name}")
    windows.check()


def test_every_fault_has_its_line_and_a_file_is_read(windows: Windows, served: str, tmp_path: Path) -> None:
    page = windows.page()
    wrong = "Place,Name\n1,Edi Birsan\n2.5,Toby Harris\n1,\n,=Bob Ray\n1,Edi BIRSAN\n10,Smith, Jr"
    _fill(page, served, Case(("Club Cup", "2012-05-06", "2012-05-05", "9", "3"), "Ordinary", wrong, {}))
    faults = page.locator("#faults li")
    for said in ("Last day", "Line 3 has the place “2.5”", "Line 4 has no name", "Line 5 has no place, above others"):
        expect(faults.filter(has_text=said)).to_have_count(1)
    for said in (
        "Line 5 has a sign",
        "Line 6 is the person of line 2",
        "Line 7 has 3 cells",
        "Line 7 has place 10 of 9",
    ):
        expect(faults.filter(has_text=said)).to_have_count(1)
    expect(page.locator("#output")).to_be_hidden()
    (tmp_path / "list.txt").write_text("1. <b>Ann</b> Lee\n2. Toby Harris\n", encoding="utf-8")
    page.get_by_label("Or a text file").set_input_files(tmp_path / "list.txt")
    expect(page.locator("#people th > span > span")).to_have_text(["<b>Ann</b> Lee", "Toby Harris"])
    for text, said in {
        "3rd Annual Cup\n1. Edi Birsan\n2. Toby Harris": "Line 1 begins places that rise and fall",
        "Place;Name;Points\n1;Edi Birsan;+12": "Line 2 has the points “+12”",
        "1. Edi Birsan\n2. Guest Player": "Line 2 has “Guest Player” in place of a person",
        'Place,Name\n1,"Newsmith, Jr"': "Line 2 has a comma in “Newsmith, Jr”",
        "1. Ann Lee, 3 wins": "Line 1 has a number in the name",
        "1.\tAnn Lee\tUSA\t112.5": "Line 1 has no headings",
    }.items():
        page.get_by_label("Standings").fill(text)
        expect(faults.filter(has_text=said)).to_have_count(1)
    # Chosen again after it was edited, the same file is read again.
    (tmp_path / "list.txt").write_bytes("1. Zoë Lee".encode("cp1252"))
    with page.expect_file_chooser() as chooser:
        page.get_by_label("Or a text file").click()
    chooser.value.set_files(tmp_path / "list.txt")
    expect(page.locator("#status")).to_have_text(re.compile("“list.txt” is no text in UTF-8"))
    expect(page.locator("#answer")).to_be_hidden()
    windows.check()


def test_a_known_tournament_that_the_keeper_corrected_is_for_the_keeper(
    browser: Browser, changed_site: Callable[..., Path]
) -> None:
    columns = "(correction_number, tournament_id, field, decided_on, reason)"
    corrected = (
        f"insert into marts.corrections {columns} values (1, 'world-dipcon-xxiii-2013', 'players', '2026-01-01', 'r')"
    )
    with served_by(site_server(changed_site(corrected), 0)) as address:
        windows = Windows(browser, (address, f"blob:{address}", "data:"))
        page = windows.page()
        _fill(page, address, CASES["known"])
        page.get_by_label("Is this a known").select_option(label=CASES["known"].same)
        expect(page.locator("#faults li")).to_have_text(re.compile("The keeper corrected this known tournament"))
        expect(page.locator("#output")).to_be_hidden()
        windows.check()
