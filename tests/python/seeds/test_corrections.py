"""Decisions of the rating keeper on a tournament: what is accepted, what is not, and what they do to the ratings."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from dippouch.errors import UserError
from dippouch.seeds.corrections import Decision, corrected_results, corrected_tournament, decide
from dippouch.seeds.folder import locked
from dippouch.seeds.schema import CORRECTIONS
from dippouch.seeds.store import Collection
from support.compiled import CompiledProject
from support.made_documents import table, take
from support.seed_rows import Rows, reference_rows, result, tournament

DAY = date(2026, 1, 2)
CUP = "club-cup-2005"


@pytest.fixture
def collection(tmp_path: Path) -> Iterator[Collection]:
    folder = tmp_path / "seeds"
    with locked(folder):
        with Collection.opened(folder) as new:
            take(new, table("Ann LEE", "Bo LI", declared=7))
            new.write()
        with Collection.opened(folder) as opened:
            yield opened


def decision(field: str, value: str, player: str = "", reason: str = "the director says so") -> Decision:
    return Decision(CUP, player, field, value, reason, DAY)


def test_a_correction_goes_before_the_statement_which_stays(collection: Collection) -> None:
    decide(collection, [decision("players", "21"), decision("placement", "3", "bo-li")])
    assert corrected_tournament(collection, CUP)["players"] == "21"
    assert corrected_results(collection, CUP)["bo-li"]["placement"] == "3"
    stated = collection.tournament(CUP)
    assert stated is not None
    assert stated["players"] == "7"
    assert collection.results_of(CUP)["bo-li"]["placement"] == "2"


def test_every_decision_stays_on_record(collection: Collection) -> None:
    for value in ("true", "false", "true"):
        decide(collection, [decision("withdrawn", value)])
    rows = [(row["correction_number"], row["value"], row["decided_on"]) for row in collection.all(CORRECTIONS)]
    assert rows == [("1", "true", "2026-01-02"), ("2", "false", "2026-01-02"), ("3", "true", "2026-01-02")]


REFUSED = [
    (decision("players", "1"), "found 1 at placement 2 (bo-li) before 1 players"),
    (decision("placement", "8", "bo-li"), "before 7 players"),
    (decision("players", "many"), "expected a whole number above 0"),
    (decision("players", "7"), "is `7` already"),
    (decision("rounds", "-1"), "expected a whole number above 0"),
    (decision("kind", "WORLD"), "expected a kind of"),
    (decision("nation_code", "XXX"), "expected a nation_code of"),
    (decision("started_on", "2005-13-01"), "expected a day as YYYY-MM-DD"),
    (decision("started_on", "2005-06-01"), "before the start"),
    (decision("name", " "), "expected some text"),
    (decision("winner", "me"), "expected one of name, subtitle"),
    (decision("nation_code", "GBR", "bo-li"), "expected one of placement"),
    (decision("withdrawn", "true", "cy-wu"), "no such listed player"),
    (decision("withdrawn", "true", reason=" "), "found no reason"),
    (Decision("nowhere", "", "withdrawn", "true", "x", DAY), "no such tournament"),
]


@pytest.mark.parametrize(("refused", "message"), REFUSED, ids=[message for _, message in REFUSED])
def test_what_cannot_be_is_refused(collection: Collection, refused: Decision, message: str) -> None:
    with pytest.raises(UserError) as error, collection.all_or_nothing():
        decide(collection, [refused])
    assert message in str(error.value)
    assert collection.count(CORRECTIONS) == 0


def rows_with(*corrections: tuple[str, str, str, str]) -> Rows:
    """Two events of two people, and corrections as (tournament, player, field, value)."""
    return reference_rows() | {
        "raw_tournaments": [tournament("one", "2005-05-01", 7), tournament("two", "2006-05-01", 7)],
        "raw_results": [result(cup, name, place) for cup in ("one", "two") for place, name in enumerate("ab", start=1)],
        "ref_corrections": [
            {
                "correction_number": number,
                "tournament_id": tournament_id,
                "player_id": player_id,
                "field": field,
                "value": value,
                "reason": "test",
                "decided_on": "2026-01-02",
            }
            for number, (tournament_id, player_id, field, value) in enumerate(corrections, start=1)
        ],
    }


def ratings(project: CompiledProject, rows: Rows) -> dict[str, float]:
    with project.build(rows) as connection:
        assert project.failing_tests(connection) == set()
        found = connection.execute(
            "select player_id, rating from build.marts.international_ranking where rating_system_id = 'dptr'"
        ).fetchall()
    return dict(found)


def test_a_withdrawn_tournament_moves_no_rating_and_stays_listed(compiled_project: CompiledProject) -> None:
    rows = rows_with(("two", "", "withdrawn", "true"))
    only_one = rows_with()
    only_one["raw_results"] = [row for row in only_one["raw_results"] if row["tournament_id"] == "one"]
    assert ratings(compiled_project, rows) == ratings(compiled_project, only_one)
    with compiled_project.build(rows) as connection:
        listed = connection.execute(
            "select tournament_id, value_rule, tournament_value from build.marts.included_tournaments"
            " where rating_system_id = 'dptr' order by all"
        ).fetchall()
    assert listed == [("one", "several rounds", 4.0), ("two", "withdrawn", 0.0)]


def test_a_withdrawn_result_is_as_if_it_had_not_been_listed(compiled_project: CompiledProject) -> None:
    rows = rows_with(("two", "b", "withdrawn", "true"))
    without = rows_with()
    del without["raw_results"][-1]
    assert ratings(compiled_project, rows) == ratings(compiled_project, without)


def test_a_corrected_fact_is_as_if_it_had_been_stated(compiled_project: CompiledProject) -> None:
    rows = rows_with(("one", "", "players", "70"), ("two", "b", "placement", "7"), ("one", "", "kind", "WDC"))
    stated = rows_with()
    stated["raw_tournaments"][0] |= {"players": 70, "kind": "WDC"}
    stated["raw_results"][-1]["placement"] = 7
    assert ratings(compiled_project, rows) == ratings(compiled_project, stated)


def test_of_two_decisions_on_a_field_the_later_holds(compiled_project: CompiledProject) -> None:
    rows = rows_with(("one", "", "withdrawn", "true"), ("one", "", "withdrawn", "false"))
    assert ratings(compiled_project, rows) == ratings(compiled_project, rows_with())
