"""Pages of the World Diplomacy Database with more on them than their subject, and with several faults."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from dippouch.documents import Appearance, Document, PlayerDocument, TournamentDocument
from dippouch.errors import DocumentError, Location, UserError
from dippouch.importing.reader import group_inputs, read_documents
from support.fuzzing import samples

Reader = Callable[..., Document]

EVENT = samples.stored_tournaments()[0]
PAGE = samples.tournament_html(EVENT)
TITLE = f"<h2>{EVENT.name}</h2>"
TABS = samples.tournament_tabs(EVENT)
PLAYED = [
    Appearance(name, date(2013, 8, 25), date(2013, 8, 25), 1, Location(Path()), kind=kind)
    for name, kind in (
        ("World DipCon XXIII 2013", "WDC"),
        ("Nordic League 2013", "league"),
        ("A Circuit", "CIR"),
        ("Open", ""),
    )
]
PLAYER = samples.player_html("Cyrille SEVIN", 1073, "FRA", PLAYED)


def with_link(href: str, text: str = "next tournament", page: str = PAGE, more: str = "") -> str:
    return page.replace("<p><a", f"<p><a href='{href}'>{text}</a> {more}</p><p><a", 1)


def tournament(document: Document) -> TournamentDocument:
    assert isinstance(document, TournamentDocument)
    return document


# The page's own id

LINK = "tournament_class.php?id_tournament=8"
OTHER_PAGE = "<a href='../ranking/ranking_tournament.php?id_ranking=3&id_tournament=8'>Rating</a>"


@pytest.mark.parametrize(
    ("page", "own"),
    [
        (with_link(LINK), None),
        (with_link(LINK, more=f"<a href='{LINK}&x=1'>Boards</a>"), None),
        (with_link(LINK, EVENT.name), "wdd:8"),
        (with_link(LINK, f"<b>{EVENT.name.upper()}</b>"), "wdd:8"),
        (with_link(LINK, "Results", more=OTHER_PAGE), "wdd:8"),
        (with_link(LINK, "Results", more=OTHER_PAGE + "<a href='x.php?id_tournament=9'>next</a>"), None),
        (PAGE.replace("</head>", f"<link rel='canonical' href='http://x/{LINK}'></head>"), "wdd:8"),
        (PAGE.replace("</head>", f"<meta property='og:url' content='http://x/{LINK}'></head>"), "wdd:8"),
        (samples.tournament_html(EVENT, samples.Extras(tournament_id=1480)), "wdd:1480"),
        (with_link(LINK, EVENT.name, samples.tournament_html(EVENT, samples.Extras(tournament_id=1480))), "wdd:1480"),
        (PAGE.replace("</body>", f"<a href='{LINK}'>next</a>{OTHER_PAGE}</body>"), None),
    ],
)
def test_only_what_is_certain_to_be_its_own_is_the_id_of_a_page(page: str, own: str | None, read: Reader) -> None:
    assert tournament(read(page, "page.html")).source_tournament_id == own


def test_the_tabs_of_a_player_give_their_id(read: Reader) -> None:
    assert read(PLAYER, "player.html").player.source_player_id == "wdd:1073"  # type: ignore[union-attr]
    lone = PLAYER.replace(" <a href='player_fiche5.php?id_player=1073'>Tournaments</a>", "")
    assert read(lone, "player.html").player.source_player_id is None  # type: ignore[union-attr]


# Flags above the table


@pytest.mark.parametrize(
    ("old", "new", "nation"),
    [
        (TITLE, f"{TITLE}<p><img src='../../image/drapeau/FRA.GIF'></p>", "FRA"),
        (TITLE, f"<h2><img src='flags/FRA.gif'>{EVENT.name}</h2>", "FRA"),
        (TITLE, f"<div>English</div><div><img src='flags/ANG.gif'></div>{TITLE}", None),
        (TITLE, f"<img src='flags/ANG.gif'>{TITLE}", None),
        (TITLE, f"{TITLE}<p><a href='?lang=en'><img src='flags/ANG.gif'></a></p>", None),
        (TITLE, f"{TITLE}<a href='?lang=en'><img src='flags/ANG.gif'></a><img src='flags/FRA.gif'>", "FRA"),
        (TITLE, f"{TITLE}<img src='flags/ANG.gif'><img src='flags/FRA.gif'>", None),
        ("<th>Place</th><td>", "<th>Place</th><td><img src='flags/ITA.gif'>", "ITA"),
    ],
)
def test_only_a_flag_with_the_facts_is_the_nation_of_the_tournament(
    old: str, new: str, nation: str | None, read: Reader
) -> None:
    assert old in PAGE
    document = tournament(read(PAGE.replace(old, new, 1), "page.html"))
    assert (document.name, document.nation_code) == (EVENT.name, nation)


def test_a_player_has_the_nation_of_their_heading(read: Reader) -> None:
    document = read(PLAYER.replace("<p><a", "<p><img src='flags/ANG.gif'> English</p><p><a", 1), "player.html")
    assert isinstance(document, PlayerDocument)
    assert document.player.nation_code == "FRA"
    named = PLAYER.replace("<table bgcolor", "<h2>Cyrille SEVIN <img src='flags/SUI.gif'></h2><table bgcolor", 1)
    document = read(
        named.replace("flags/FRA.gif'></td></tr></table></th>", "x.png'></td></tr></table></th>"), "player.html"
    )
    assert isinstance(document, PlayerDocument)
    assert document.player.nation_code == "CHE"


@pytest.mark.parametrize(
    ("source", "remarks"), [("image/WDD.gif", 0), ("image/drapeau/QQQ.GIF", 1), ("flags/QQQ.gif", 1)]
)
def test_a_picture_of_no_nation_above_the_table_does_not_reject_the_page(
    source: str, remarks: int, read: Reader
) -> None:
    document = tournament(read(PAGE.replace(TITLE, f"{TITLE}<p><img src='{source}'></p>", 1), "page.html"))
    assert document.nation_code is None
    assert len(document.remarks) == remarks
    assert all("the flag `QQQ` above the table" in remark for remark in document.remarks)


def test_a_logo_before_the_title_is_nothing(read: Reader) -> None:
    page = PAGE.replace("<body>", "<body><img src='flags/WDD.gif'>", 1)
    assert tournament(read(page, "page.html")).remarks == ()


# Leagues


def test_leagues_on_the_page_of_a_player_are_left_aside(read: Reader) -> None:
    document = read(
        PLAYER.replace(
            "2013-08-25<td><img src='../images/flags/FRA.gif'><td><a href='tournament_class.php?id_tournament=0'>Nordic",
            "2013<td><td><a href='#'>Nordic",
        ),
        "player.html",
    )
    assert isinstance(document, PlayerDocument)
    assert [(a.name, a.kind) for a in document.appearances] == [("World DipCon XXIII 2013", "WDC"), ("Open", None)]
    (remark,) = document.remarks
    assert "left aside 2" in remark
    assert "`Nordic League 2013`, `A Circuit`" in remark


# All faults at once


def faults_of(read: Reader, page: str, name: str) -> list[DocumentError]:
    with pytest.raises(DocumentError) as caught:
        read(page, name)
    return [caught.value, *caught.value.further]


def test_all_faults_of_a_page_are_told(read: Reader) -> None:
    page = PAGE.replace("YYY.gif", "QQQ.gif", 1).replace("98.08", "98,08", 1).replace("<td>3<", "<td>third<", 1)
    page = page.replace("<th>Number of rounds</th><td>2", "<th>Number of rounds</th><td>zwei")
    page = page.replace("Number of boards</th><td>", "Number of boards</th><td>x").replace("Coeff 2", "Coeff two")
    found = [error.found for error in faults_of(read, page, "page.html")]
    assert [text for text in found if not text.startswith("`Coeff")] == [
        "the flag `QQQ`",
        "`Number of rounds` `zwei`",
        f"`Number of boards` `x{EVENT.boards or ''}`",
        "the score `98,08`",
        "the rank `third`",
    ]
    assert found[3].startswith("`Coeff")


def test_all_faults_of_a_page_as_text_are_told(read: Reader) -> None:
    page = TABS.replace("98.08", "98,08", 1).replace("Louis Clément AZAIS", "")
    page = page.replace("Number of rounds\t2", "Number of rounds\t0")
    assert [error.location.line for error in faults_of(read, page, "page.txt")] == [8, 3, 7]


def test_all_faults_of_a_player_are_told(read: Reader) -> None:
    page = PLAYER.replace("1 / ", "first / ").replace("2013-08-25", "2013-02-30")
    found = [(error.location.place[:5], error.found[:8]) for error in faults_of(read, page, "player.html")]
    assert found == [("row 1", "the date"), ("row 1", "the rank"), ("row 4", "the date"), ("row 4", "the rank")]


def test_all_faults_of_a_ranking_are_told(read: Reader) -> None:
    text = (samples.STORED_PAGES / "international-ranking-2017-08-06.txt").read_text(encoding="utf-8")
    faults = faults_of(read, text.replace("2017-08-06", "2017-08-32").replace("85.29", "85,29"), "ranking.txt")
    assert len(faults) == 3
    assert faults[-1].found == "`Last Update` `2017-08-32`"


def test_more_faults_than_anybody_reads_are_not_told(read: Reader) -> None:
    rows = [result for result in samples.stored_tournaments()[-1].results for _ in range(2)]
    page = samples.tournament_html(replace(EVENT, results=rows)).replace("YYY.gif", "QQQ.gif")
    assert len(faults_of(read, page, "page.html")) == 50


# What is no page


def test_a_table_of_another_site_is_to_be_copied(read: Reader) -> None:
    page = "<html><title>Club</title><table>" + "<tr><td>1</td><td>Anna</td></tr>" * 9 + "</table></html>"
    with pytest.raises(DocumentError) as caught:
        read(page, "club.html")
    assert "is not one of the World Diplomacy Database (its title is `Club`)" in str(caught.value)
    assert "copy the table into a spreadsheet" in caught.value.hint
    assert "the headings `placement` and `name`" in caught.value.hint


def test_a_table_with_strange_headings_is_told_what_is_missing(read: Reader) -> None:
    with pytest.raises(DocumentError) as caught:
        read("who,points\nAnna,3\nplacement,points\n", "x.csv")
    assert "docs/import_formats.md describes every format." in caught.value.hint


def test_a_file_name_that_is_not_utf_8_is_refused_in_words(tmp_path: Path) -> None:
    path = tmp_path / os.fsdecode(b"caf\xe9.csv")
    path.write_text("x", encoding="utf-8")
    with pytest.raises(DocumentError) as caught:
        list(read_documents(path))
    assert "a name that is not UTF-8" in str(caught.value)
    assert str(caught.value).encode()
    with pytest.raises(UserError) as missing:
        group_inputs([tmp_path / os.fsdecode(b"\xe8.csv")])
    assert str(missing.value).encode()


# Symbols in texts that are no names of people


def test_symbols_in_texts_are_kept(read: Reader) -> None:
    event = replace(EVENT, name="3° Torneo  £5 ®", subtitle="± 2 × 3", place="Città ° Nord")
    for name, write in (
        ("x.html", samples.tournament_html),
        ("x.txt", samples.tournament_tabs),
        ("x.csv", samples.tournament_csv),
    ):
        document = tournament(read(write(event), name))
        assert (document.name, document.subtitle, document.place) == ("3° Torneo £5 ®", "± 2 × 3", "Città ° Nord")


def test_a_lost_character_in_the_name_of_a_tournament_is_rejected(refused: Callable[..., DocumentError]) -> None:
    assert "replacement character" in str(refused(TABS.replace(EVENT.name, "Caf\ufffd Open"), "x.txt"))
