"""One event states the same facts in every format."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from dippouch.documents import Document, PlayerDocument, RankingDocument, TournamentDocument
from dippouch.errors import Location
from dippouch.importing.reader import read_documents
from support.fuzzing import samples

Reader = Callable[..., Document]

NOWHERE = Location(Path())
EVENTS = samples.stored_tournaments()


def facts(document: object) -> dict[str, object]:
    """Everything that a tournament states but where it stands and how it was read."""
    assert isinstance(document, TournamentDocument)
    people = [replace(result, player=replace(result.player, location=NOWHERE)) for result in document.results]
    stated = {name: getattr(document, name) for name in TournamentDocument.__dataclass_fields__}
    return stated | {"results": people, "source": None, "locations": None, "remarks": None}


def test_the_stored_pages_are_four_events_with_their_rows() -> None:
    assert [(e.name, len(e.results), e.players) for e in EVENTS] == [
        ("Ier Dimanche LudiK de Champs 2006", 25, 26),
        ("WAC 6 2009", 43, 45),
        ("World DipCon VI 1996", 85, 88),
        ("World DipCon XXIII 2013", 71, 75),
    ]


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: event.name)
@pytest.mark.parametrize(
    ("name", "write"),
    [
        ("cut.html", samples.tournament_html),
        ("whole.html", lambda event: samples.tournament_html(event, well_formed=True)),
        ("copied.txt", samples.tournament_tabs),
        ("commas.csv", samples.tournament_csv),
        ("semicolons.csv", lambda event: samples.tournament_csv(event, ";")),
        ("tabs.csv", lambda event: samples.tournament_csv(event, "\t")),
        ("bars.csv", lambda event: samples.tournament_csv(event, "|")),
        ("excel.csv", lambda event: samples.tournament_csv(event, ";").replace("\n", "\r\n").encode("utf-8-sig")),
        ("unicode.csv", lambda event: samples.tournament_csv(event, "\t").encode("utf-16")),
        ("marked.csv", lambda event: samples.tournament_csv(event).encode("utf-8-sig")),
        ("mac.csv", lambda event: samples.tournament_csv(event).replace("\n", "\r")),
        ("latin.html", lambda event: samples.tournament_html(event).replace("utf-8", "iso-8859-1").encode("latin-1")),
        ("standings.xlsx", samples.tournament_xlsx),
    ],
)
def test_every_form_states_the_facts_of_the_text(
    event: TournamentDocument, name: str, write: Callable[[TournamentDocument], str | bytes], read: Reader
) -> None:
    assert facts(read(write(event), name)) == facts(event)


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: event.name)
def test_the_world_diplomacy_reference_states_the_same_people_and_placements(
    event: TournamentDocument, read: Reader
) -> None:
    document = read(samples.tournament_json(event), "tournament.json")
    assert isinstance(document, TournamentDocument)
    assert (document.name, document.started_on, document.ended_on) == (event.name, event.started_on, event.ended_on)
    assert [(r.placement, r.player.first_name, r.player.last_name) for r in document.results] == [
        (r.placement, r.player.first_name, r.player.last_name) for r in event.results
    ]
    assert document.results[0].player.source_player_id == "wdr:1"
    assert document.source_tournament_id == "wdr:7"
    assert document.players is None


def test_a_page_gives_ids_nations_and_directors(read: Reader) -> None:
    event = EVENTS[-1]
    extras = samples.Extras(
        tournament_id=1480,
        player_ids={"Cyrille SEVIN": 1073},
        flags={"Cyrille SEVIN": "FRA", "Toby HARRIS": "ANG", "Gwen MAGGI": "ZZZ", "Jane DIRECTOR": "NGE"},
        directors=("Jane DIRECTOR",),
    )
    document = read(samples.tournament_html(event, extras), "page.html")
    assert isinstance(document, TournamentDocument)
    people = {r.player.listed_name: r for r in document.results}
    assert document.source_tournament_id == "wdd:1480"
    assert people["Cyrille SEVIN"].player.source_player_id == "wdd:1073"
    assert [
        people[n].player.nation_code for n in ("Cyrille SEVIN", "Toby HARRIS", "Gwen MAGGI", "René VAN ROOIJEN")
    ] == [*("FRA", "GBR", None, None)]
    assert people["Jane DIRECTOR"].placement is None
    assert people["Jane DIRECTOR"].player.nation_code == "NOR"


def test_a_page_without_totals_declares_none(read: Reader) -> None:
    event = replace(EVENTS[1], players=None, boards=None)
    document = read(samples.tournament_html(event), "page.html")
    assert isinstance(document, TournamentDocument)
    assert (document.players, document.rounds, document.boards) == (None, 4, None)


@pytest.mark.parametrize(("name", "write"), [("x.html", samples.tournament_html), ("x.txt", samples.tournament_tabs)])
def test_a_tournament_page_may_say_when_it_was_updated(
    name: str, write: Callable[[TournamentDocument], str], read: Reader
) -> None:
    page = write(EVENTS[-1])
    author = "Author Matt Shields Last Update 2017-08-06"
    page = page.replace("<table", f"<p>{author}</p><table", 1).replace("\nDate\t", f"\n{author}\nDate\t")
    document = read(page, name)
    assert isinstance(document, TournamentDocument)
    assert (document.name, document.last_update) == ("World DipCon XXIII 2013", date(2017, 8, 6))


@pytest.mark.parametrize(
    ("what", "cut", "listed"),
    [
        ("a row is cut after the rank", ("<a href='../results/player_fiche.php?id_player=2'>Toby HARRIS</a>", ""), 70),
        ("a row is cut before its score", ("<td>98.00", ""), 71),
        ("a row began without its tag", ("<tr class='row_odd'><td>2<", "<td>2<"), 71),
        ("a row is inside a cell", ("<tr class='row_odd'><td>2<", "<td><table><tr class='row_odd'><td>2<"), 71),
    ],
)
def test_broken_markup_loses_no_more_than_what_is_cut(
    what: str, cut: tuple[str, str], listed: int, read: Reader
) -> None:
    extras = samples.Extras(player_ids={r.player.listed_name: i for i, r in enumerate(EVENTS[-1].results, start=1)})
    page = samples.tournament_html(EVENTS[-1], extras)
    assert cut[0] in page, what
    document = read(page.replace(*cut, 1), "page.html")
    assert isinstance(document, TournamentDocument)
    assert len(document.results) == listed
    assert document.players == 75
    assert [r.player.last_name for r in document.results][-1] == EVENTS[-1].results[-1].player.last_name


def test_the_ranking_page_states_what_its_text_states(read: Reader) -> None:
    (text,) = read_documents(samples.STORED_PAGES / "international-ranking-2017-08-06.txt")
    assert isinstance(text, RankingDocument)
    page = read(samples.ranking_html(text), "ranking.html")
    assert isinstance(page, RankingDocument)
    assert (page.ranking_name, page.author, page.last_update) == (text.ranking_name, text.author, text.last_update)
    assert [(r.rank, r.player.first_name, r.player.last_name, r.rating) for r in page.ranks] == [
        (r.rank, r.player.first_name, r.player.last_name, r.rating) for r in text.ranks
    ]
    assert ("Leï", "SÄÄRLAINEN") in {(r.player.first_name, r.player.last_name) for r in page.ranks}


def test_a_player_of_the_world_diplomacy_reference(read: Reader) -> None:
    document = read(samples.player_json(), "player.json")
    assert isinstance(document, PlayerDocument)
    assert (document.player.first_name, document.player.last_name) == ("Cyrille", "SEVIN")
    assert (document.player.nation_code, document.player.location_code) == ("FRA", None)
    assert document.player.source_player_id == "wdd:1073"
    assert [(a.name, a.ended_on, a.placement, a.kind, a.source_tournament_id) for a in document.appearances] == [
        ("World DipCon XXIII 2013", date(2013, 8, 25), 1, "WDC", "wdd:1480"),
        ("Open de Paris 2015", date(2015, 3, 7), None, "CUP", "wdr:71"),
        ("EuroDipCon 2016", date(2016, 5, 15), None, "EDC", "wdr:72"),
    ]


def test_the_page_of_a_player(read: Reader) -> None:
    stated = read(samples.player_json(), "player.json")
    assert isinstance(stated, PlayerDocument)
    played = [replace(stated.appearances[0], players=75), *stated.appearances[1:]]
    page = read(samples.player_html("Cyrille SEVIN", 1073, "FRA", played), "player.html")
    assert isinstance(page, PlayerDocument)
    assert (page.player.last_name, page.player.nation_code, page.player.source_player_id) == (
        "SEVIN",
        "FRA",
        "wdd:1073",
    )
    assert [(a.name, a.ended_on, a.placement, a.players, a.kind) for a in page.appearances] == [
        (a.name, a.ended_on, a.placement, a.players, a.kind) for a in played
    ]
    assert page.appearances[0].source_tournament_id == "wdd:1480"
