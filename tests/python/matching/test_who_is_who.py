"""Which person a listed name is, and which event a document tells of."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from dippouch.documents import ListedPlayer
from dippouch.errors import DocumentError
from dippouch.seeds.schema import TOURNAMENTS
from dippouch.seeds.store import Collection
from support.made_documents import person, table, take


@pytest.fixture
def collection(tmp_path: Path) -> Iterator[Collection]:
    with Collection.opened(tmp_path / "seeds") as opened:
        yield opened


def ids(collection: Collection, tournament_id: str) -> list[str]:
    rows = collection.results_of(tournament_id).values()
    return [row["player_id"] for row in sorted(rows, key=lambda row: int(row["placement"]))]


KNOWN = person("John SMITH", nation="GBR", source_id="wdd:1")

WHO = [
    # listed, id, whether the rating keeper is told
    pytest.param(person("John SMITH"), "john-smith", False, id="nothing says otherwise"),
    pytest.param(person("John SMITH", nation="GBR"), "john-smith", False, id="the same nation"),
    pytest.param(person("John SMITH", nation="AUS"), "john-smith-2", True, id="another nation"),
    pytest.param(person("John SMITH", source_id="wdd:1"), "john-smith", False, id="the same id"),
    pytest.param(person("John SMITH", source_id="wdd:2"), "john-smith-2", True, id="another id of the same source"),
    pytest.param(person("John SMITH", source_id="wdr:2"), "john-smith", False, id="an id of another source"),
    pytest.param(person("Jon SMYTHE", source_id="wdd:1"), "john-smith", True, id="the same id, spelt otherwise"),
    pytest.param(person("John SMITH", nation="AUS", source_id="wdd:1"), "john-smith", False, id="id before nation"),
    pytest.param(person("Jöhn Smith"), "john-smith", True, id="accents"),
    pytest.param(person("John Smith"), "john-smith", False, id="capitals"),
    pytest.param(person("SMITH John"), "smith-john", False, id="swapped names are not merged by themselves"),
    pytest.param(person("J. SMITH"), "j-smith", False, id="initials are not merged by themselves"),
]


@pytest.mark.parametrize(("listed", "player_id", "told"), WHO)
def test_who_a_listed_person_is(collection: Collection, listed: ListedPlayer, player_id: str, told: bool) -> None:
    take(collection, table(KNOWN))
    change = take(collection, table(listed, name="Other Cup"))[0]
    assert ids(collection, "other-cup-2005") == [player_id]
    assert bool(change.notes) == told


def test_two_namesakes_in_one_table_are_told_apart_and_stay_so(collection: Collection) -> None:
    document = table(person("John SMITH", nation="GBR"), person("John SMITH", nation="AUS"))
    take(collection, document)
    assert ids(collection, "club-cup-2005") == ["john-smith", "john-smith-2"]
    assert take(collection, document)[0].status == "unchanged"
    # Another event lists the second one only, then both in the other order.
    take(collection, table(person("John SMITH", nation="AUS"), name="Other Cup"))
    assert ids(collection, "other-cup-2005") == ["john-smith-2"]
    take(collection, table(person("John SMITH", nation="AUS"), person("John SMITH", nation="GBR"), name="Third Cup"))
    assert ids(collection, "third-cup-2005") == ["john-smith-2", "john-smith"]


@pytest.mark.parametrize("swapped", [False, True])
def test_a_table_that_spells_two_namesakes_alike_finds_them_again(collection: Collection, swapped: bool) -> None:
    take(collection, table(person("Björn LI", nation="SWE", source_id="wdd:4"), person("Bjorn LI", source_id="wdd:3")))
    listed = [person("Bjorn LI", nation="SWE"), person("Bjorn LI")]
    document = table("Cy RAE", *(listed[::-1] if swapped else listed), name="Other Cup")
    take(collection, document)
    expected = ["bjorn-li", "bjorn-li-2"]
    assert ids(collection, "other-cup-2005")[1:] == (expected[::-1] if swapped else expected)
    assert take(collection, document)[0].status == "unchanged"


def test_one_person_twice_in_a_table_is_refused(collection: Collection) -> None:
    take(collection, table(KNOWN))
    with pytest.raises(DocumentError, match="line 10"):
        take(collection, table(person("Jon SMYTHE", source_id="wdd:1"), person("John SMITH"), name="Other Cup"))


def test_a_number_that_is_taken_is_not_given_again(collection: Collection) -> None:
    for number, nation in enumerate(("GBR", "AUS", "FRA"), start=1):
        take(collection, table(person("John SMITH", nation=nation), name=f"Cup {number}"))
    assert ids(collection, "cup-3-2005") == ["john-smith-3"]


@pytest.mark.parametrize("name", ["INDEX", "Nul"])
def test_an_id_that_a_file_has_already_is_not_given(collection: Collection, name: str) -> None:
    take(collection, table(person(name)))
    assert ids(collection, "club-cup-2005") == [f"{name.lower()}-2"]
    take(collection, table(person(name), name="Second Cup"))
    assert ids(collection, "second-cup-2005") == [f"{name.lower()}-2"]
    with pytest.raises(DocumentError, match="`index` is the name of a file already"):
        take(collection, table(person("Ann LEE"), name="Third Cup", tournament_id="index"))


def test_an_apostrophe_of_print_is_that_of_a_typewriter(collection: Collection) -> None:
    take(collection, table(person("Anna D'ARCY")))
    take(collection, table(person("Anna D\N{RIGHT SINGLE QUOTATION MARK}ARCY"), name="Second Cup"))
    assert ids(collection, "club-cup-2005") == ids(collection, "second-cup-2005") == ["anna-d-arcy"]


def test_an_id_once_given_stays_whatever_comes_later(collection: Collection) -> None:
    first = table(person("John SMITH", nation="AUS"), name="Later Cup", day="2008-05-01")
    second = table(person("John SMITH", nation="GBR"), name="Earlier Cup", day="2001-05-01")
    take(collection, first, second, first)
    assert ids(collection, "later-cup-2008") == ["john-smith"]
    assert ids(collection, "earlier-cup-2001") == ["john-smith-2"]


EVENTS = [
    pytest.param({"day": "2005-05-03"}, "club-cup-2005", id="the days differ a little"),
    pytest.param({"day": "2005-10-01"}, "club-cup-2005-2", id="the same name in autumn"),
    pytest.param({"day": "2006-05-01"}, "club-cup-2006", id="another year"),
    pytest.param({"name": "Klubcup", "source_tournament_id": "wdd:9"}, "club-cup-2005", id="the same id, renamed"),
    pytest.param({"source_tournament_id": "wdd:8"}, "club-cup-2005-2", id="another id of the same source"),
    pytest.param({"source_tournament_id": "wdr:8"}, "club-cup-2005", id="an id of another source"),
    pytest.param({"tournament_id": "club-cup-2005"}, "club-cup-2005", id="our own id"),
    pytest.param({"tournament_id": "cup-one", "name": "Cup One"}, "cup-one", id="an id that the document gives"),
]


@pytest.mark.parametrize(("told", "tournament_id"), EVENTS)
def test_which_event_a_document_tells_of(collection: Collection, told: dict[str, Any], tournament_id: str) -> None:
    take(collection, table("Ann LEE", source_tournament_id="wdd:9"))
    take(collection, table("Ann LEE", **told))
    known = {row["tournament_id"] for row in collection.all(TOURNAMENTS)}
    assert known == {"club-cup-2005", tournament_id}


def test_an_id_of_another_event_is_refused(collection: Collection) -> None:
    take(collection, table("Ann LEE"))
    with pytest.raises(DocumentError, match="whose id that is"):
        take(collection, table("Ann LEE", name="Other Cup", day="2009-01-01", tournament_id="club-cup-2005"))
