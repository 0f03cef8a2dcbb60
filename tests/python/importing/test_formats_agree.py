"""A tournament gives the same facts in every format."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from dippouch.documents import Document, RankingDocument, TournamentDocument
from dippouch.errors import Location
from dippouch.importing.reader import read_documents
from support.fuzzing import samples

Reader = Callable[..., Document]

NOWHERE = Location(Path())
EVENTS = samples.stored_tournaments()


def facts(document: object) -> dict[str, object]:
    """Return all facts of a document, without their places and how they were read."""
    assert isinstance(document, TournamentDocument)
    people = [replace(result, player=replace(result.player, location=NOWHERE)) for result in document.results]
    stated = {name: getattr(document, name) for name in TournamentDocument.__dataclass_fields__}
    return stated | {"results": people, "source": None, "locations": None, "remarks": None, "headings": None}


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
        ("bars.csv", lambda event: samples.tournament_csv(event, "|")),
        ("excel.csv", lambda event: samples.tournament_csv(event, ";").replace("\n", "\r\n").encode("utf-8-sig")),
        ("unicode.csv", lambda event: samples.tournament_csv(event, "\t").encode("utf-16")),
        ("mac.csv", lambda event: samples.tournament_csv(event).replace("\n", "\r")),
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
    assert document.results[0].player.source_ids == ("wdr:1",)
    assert document.source_ids == ("wdr:7",)
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
    assert document.source_ids == ("wdd:1480",)
    assert people["Cyrille SEVIN"].player.source_ids == ("wdd:1073",)
    assert [
        people[n].player.nation_code for n in ("Cyrille SEVIN", "Toby HARRIS", "Gwen MAGGI", "René VAN ROOIJEN")
    ] == [*("FRA", "GBR", None, None)]
    assert people["Jane DIRECTOR"].placement is None
    assert people["Jane DIRECTOR"].player.nation_code == "NOR"


def test_the_ranking_page_states_what_its_text_states(read: Reader) -> None:
    (text,) = read_documents(samples.STORED_PAGES / "international-ranking-2017-08-06.txt")
    assert isinstance(text, RankingDocument)
    assert len(text.ranks) == 47
    page = read(samples.ranking_html(text), "ranking.html")
    assert isinstance(page, RankingDocument)
    assert (page.ranking_name, page.author, page.last_update) == (text.ranking_name, text.author, text.last_update)
    assert [(r.rank, r.player.first_name, r.player.last_name, r.rating) for r in page.ranks] == [
        (r.rank, r.player.first_name, r.player.last_name, r.rating) for r in text.ranks
    ]
    assert ("Leï", "SÄÄRLAINEN") in {(r.player.first_name, r.player.last_name) for r in page.ranks}
