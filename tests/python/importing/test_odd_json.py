"""JSON of the World Diplomacy Reference that is large, broken in several places, or no JSON at all."""

from __future__ import annotations

import json
import time
from collections.abc import Callable

import pytest

from dippouch.documents import Document, PlayerDocument
from dippouch.errors import DocumentError
from dippouch.importing.formats import wdr_json
from support.fuzzing import samples

Reader = Callable[..., Document]


@pytest.mark.parametrize("text", ["{}", '{"a": 1}', " \n{ \n}", "[{}]", "[]", "[[]]", "{", "[" * 1000 + "]" * 1000])
def test_what_begins_as_json(text: str) -> None:
    assert wdr_json.detect(text)


@pytest.mark.parametrize(
    "text", ["[1] Anna ARCHER", "[name];[place]", "[ ] Anna", "[[Link]]", "{name}", "[", "a {", "[draft] Small Cup\n"]
)
def test_what_a_bracket_does_not_make_json(text: str) -> None:
    assert not wdr_json.detect(text)


def test_a_text_in_brackets_is_not_told_that_json_breaks_off(read: Reader) -> None:
    with pytest.raises(DocumentError, match="text of no format that is known"):
        read("[Small Cup]\nAnna won.\n", "x.txt")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{" + "".join(f'"k{i}": 1, ' for i in range(100_000)) + '"k99999": 1}', "the field `k99999` twice"),
        ('{"a": ' + "1" * 20_000 + "}", "4300 digits"),
    ],
)
def test_large_json_is_refused_at_once(text: str, message: str, read: Reader) -> None:
    began = time.perf_counter()
    with pytest.raises(DocumentError, match=message):
        read(text, "x.json")
    assert time.perf_counter() - began < 2


def test_all_faults_of_a_tournament_are_told(read: Reader) -> None:
    data = json.loads(samples.tournament_json(samples.stored_tournaments()[0]))
    data["tournament_start_date"] = "soon"
    data["tournament_classifications"][0] |= {"player_rank": 1.5, "player_full_name": None}
    data["tournament_classifications"][2]["player_id"] = "x"
    with pytest.raises(DocumentError) as caught:
        read(json.dumps(data), "x.json")
    assert [error.location.place for error in (caught.value, *caught.value.further)] == [
        "tournament_start_date",
        "tournament_classifications[0].player_full_name",
        "tournament_classifications[0].player_rank",
        "tournament_classifications[2].player_id",
    ]


def test_all_faults_of_a_player_are_told_up_to_a_limit(read: Reader) -> None:
    data = json.loads(samples.player_json())
    data["player_nationality"] = "Atlantis"
    data["player_tournaments_played"] *= 100
    for played in data["player_tournaments_played"]:
        played["tournament_name"] = None
    with pytest.raises(DocumentError) as caught:
        read(json.dumps(data), "x.json")
    assert caught.value.location.place == "player_nationality"
    assert len(caught.value.further) == 49


@pytest.mark.parametrize("kind", ["LEAGUE", "league", "Egp", "NAGP", "BIC", "CIR", "GHOST"])
def test_a_league_is_no_tournament(kind: str, read: Reader) -> None:
    data = json.loads(samples.player_json())
    data["player_tournaments_played"][1] |= {"tournament_kind": kind, "tournament_start_date": "2015 season"}
    document = read(json.dumps(data), "x.json")
    assert isinstance(document, PlayerDocument)
    assert [played.name for played in document.appearances] == ["World DipCon XXIII 2013", "EuroDipCon 2016"]
    (remark,) = document.remarks
    assert "left aside 1" in remark
    assert "`Open de Paris 2015`" in remark


def test_a_kind_may_be_empty(read: Reader) -> None:
    data = json.loads(samples.player_json())
    data["player_tournaments_played"][1]["tournament_kind"] = ""
    document = read(json.dumps(data), "x.json")
    assert isinstance(document, PlayerDocument)
    assert (document.appearances[1].kind, document.remarks) == (None, ())


def test_symbols_in_the_name_of_a_tournament_are_kept(read: Reader) -> None:
    data = json.loads(samples.player_json())
    data["player_tournaments_played"][1]["tournament_name"] = "3° Torneo £5 ® ×"
    document = read(json.dumps(data), "x.json")
    assert isinstance(document, PlayerDocument)
    assert document.appearances[1].name == "3° Torneo £5 ® ×"
