"""What a document changes beside what the collection holds: it adds and corrects, it takes nothing away."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from dippouch.errors import DocumentError
from dippouch.seeds.corrections import Decision, decide
from dippouch.seeds.schema import PLAYERS, TOURNAMENTS
from dippouch.seeds.store import Collection
from support.made_documents import page, person, table, take

DAY = date(2026, 1, 2)


@pytest.fixture
def collection(tmp_path: Path) -> Iterator[Collection]:
    with Collection.opened(tmp_path / "seeds") as opened:
        yield opened


def test_what_a_document_leaves_out_stays(collection: Collection) -> None:
    take(collection, table(person("Ann LEE", nation="GBR", source_id="wdd:1"), place="Paris", kind="CUP"))
    change = take(collection, table("Ann LEE"))[0]
    assert change.status == "unchanged"
    assert collection.results_of("club-cup-2005")["ann-lee"]["source_player_id"] == "wdd:1"


def test_a_document_that_knows_more_adds_it(collection: Collection) -> None:
    take(collection, table("Ann LEE"))
    change = take(collection, table(person("Ann LEE", source_id="wdd:1"), "Bo LI", place="Paris"))[0]
    assert change.status == "changed"
    assert [(d.key, d.changed_columns()) for d in change.differences if d.before] == [
        (("club-cup-2005",), ["place"]),
        (("club-cup-2005", "ann-lee"), ["source_player_id"]),
    ]


def test_results_that_are_left_out_are_refused_with_the_way_out(collection: Collection) -> None:
    take(collection, table("Ann LEE", "Bo LI"))
    with pytest.raises(DocumentError) as refused:
        take(collection, table("Ann LEE", "Bob LI"))
    assert "without 1 that the collection holds (Bo LI)" in str(refused.value)
    assert "dptr withdraw club-cup-2005 --player bo-li" in str(refused.value)
    decide(collection, [Decision("club-cup-2005", "bo-li", "withdrawn", "true", "misspelt", DAY)])
    assert take(collection, table("Ann LEE", "Bob LI"))[0].status == "changed"


def test_an_event_that_is_withdrawn_says_so(collection: Collection) -> None:
    take(collection, table("Ann LEE"))
    decide(collection, [Decision("club-cup-2005", "", "withdrawn", "true", "a league", DAY)])
    assert "`club-cup-2005` is withdrawn" in take(collection, table("Ann LEE"))[0].notes[0]
    decide(collection, [Decision("club-cup-2005", "", "withdrawn", "false", "an event", DAY)])
    assert take(collection, table("Ann LEE"))[0].notes == []


def test_a_known_event_under_another_name_is_refused(collection: Collection) -> None:
    field = ["Ann LEE", "Bo LI", "Cy RAE", "Di FOX", "Ed OAK"]
    take(collection, table(*field))
    with pytest.raises(DocumentError) as refused:
        take(collection, table(*field, name="Clab Cup"))
    assert "`Clab Cup` (2005-05-02), 5 of whose 5 placements are those of `club-cup-2005`" in str(refused.value)
    assert take(collection, table(*field[::-1], name="Evening Cup"))[0].status == "new"


def test_a_players_page_adds_tournaments_that_count_nothing_yet(collection: Collection) -> None:
    change = take(collection, page(person("Ann LEE"), ("Club Cup", "2005-05-01", 3), ("Other Cup", "2006-05-01", None)))
    assert change[0].status == "new"
    assert [row["players"] for row in collection.all(TOURNAMENTS)] == ["", ""]
    # The tournament's own page finds the event, and the person whom only her own page places there may be missing.
    change = take(collection, table("Bo LI"))
    assert change[0].status == "changed"
    rows = collection.results_of("club-cup-2005")
    assert {player_id: row["listed_by"] for player_id, row in rows.items()} == {
        "ann-lee": "player",
        "bo-li": "tournament",
    }
    take(collection, table("Bo LI", "Cy WU", "Ann LEE"))
    assert collection.results_of("club-cup-2005")["ann-lee"]["listed_by"] == "tournament"
    assert take(collection, page(person("Ann LEE"), ("Club Cup", "2005-05-01", 3)))[0].status == "unchanged"


def test_a_players_page_may_not_contradict_the_table(collection: Collection) -> None:
    take(collection, table("Ann LEE", "Bo LI"))
    with pytest.raises(DocumentError, match="placement 2, as the tournament"):
        take(collection, page(person("Bo LI"), ("Club Cup", "2005-05-01", 1)))


def test_a_placement_that_is_taken_is_refused(collection: Collection) -> None:
    take(collection, table("Ann LEE", "Bo LI"))
    with pytest.raises(DocumentError, match="placement `2` in club-cup-2005 after 2 players at placement 1"):
        take(collection, page(person("Cy WU"), ("Club Cup", "2005-05-01", 1)))
    with pytest.raises(DocumentError, match="found placement `21` in club-cup-2005; expected one from 1 to 20"):
        take(collection, page(person("Cy WU"), ("Club Cup", "2005-05-01", 21)))


def test_a_table_without_a_number_of_players_is_held_to_the_known_one(collection: Collection) -> None:
    take(collection, table("Ann LEE", "Bo LI", declared=20))
    with pytest.raises(DocumentError) as refused:
        take(collection, table("Ann LEE", "Bo LI", declared=None, placements=[1, 21]))
    assert "page.html:11: found placement `21` in club-cup-2005; expected one from 1 to 20" in str(refused.value)
    take(collection, table("Ann LEE", "Bo LI", declared=None, placements=[1, 20]))


def test_a_players_page_states_the_nation_unless_the_rating_keeper_did(collection: Collection) -> None:
    event = ("Club Cup", "2005-05-01", 1)
    take(collection, page(person("Ann LEE", nation="GBR", source_id="wdd:1"), event))
    row = collection.get(PLAYERS, ("ann-lee",))
    assert row is not None
    assert (row["nation_code"], row["source"]) == ("GBR", "test: page.html")
    change = take(collection, page(person("Ann LEE", nation="IRL", source_id="wdd:1"), event))[0]
    assert "nation_code IRL on the page, GBR in reference/ref_players.csv" in change.notes[0]
    assert collection.get(PLAYERS, ("ann-lee",)) == row


FIELD = "Ann ARCHER,Bob BAKER,Cid COOK,Dan DYER,Eve EAST,Fay FORD,Gil GRAY,Hal HALE,Ida IVES,Jon JAMES,Kim KENT,Lea LANE".split(
    ","
)


@pytest.mark.parametrize("day", ["2024-06-07", "2023-06-07"])
@pytest.mark.parametrize("turned", [False, True])
def test_one_event_told_by_two_people_comes_in_once(tmp_path: Path, day: str, turned: bool) -> None:
    """Another title, a mistyped year, a row lost at the end, two swapped, first names shortened: in either order."""
    told = table(*FIELD, name="Lakeshore Classic", day="2024-06-07")
    others = [name.replace("Dan ", "Danny ").replace("Kim ", "Kimberly ") for name in FIELD[:-1]]
    others[7], others[8] = others[8], others[7]
    again = table(*(person(name) for name in others), name="Great Lakes", day=day)
    documents = (again, told) if turned else (told, again)
    with Collection.opened(tmp_path / "seeds") as collection:
        take(collection, documents[0])
        with pytest.raises(DocumentError, match="there is nothing to import"):
            take(collection, documents[1])
