"""The rating keeper's decisions on a tournament: accepted ones, refused ones, and their effect on ratings."""

from __future__ import annotations

import csv
import shlex
from collections.abc import Iterator
from datetime import date, datetime, timedelta
from pathlib import Path

import pytest

from dippouch.errors import UserError
from dippouch.importing.pipeline import import_documents
from dippouch.seeds.corrections import Decision, corrected_results, corrected_tournament, decide
from dippouch.seeds.folder import locked
from dippouch.seeds.schema import ALIASES, CORRECTIONS
from dippouch.seeds.store import Collection
from support.compiled import CompiledProject
from support.golden import Case, each_case, unescaped
from support.programs import Done, run_program
from support.seed_rows import Rows, correction, reference_rows, result, tournament

DAY = date(2026, 1, 2)
CUP = "club-cup-2005"


def import_cup(folder: Path) -> None:
    """Make a new collection with one tournament of two people."""
    page = folder.parent / "cup.csv"
    page.parent.mkdir(exist_ok=True)
    facts = "name: Club Cup\ndate: 2005-05-01 - 2005-05-02\nplayers: 7\nrounds: 3\n\n"
    page.write_text(f"{facts}placement,name\n1,Ann LEE\n2,Bo LI\n", encoding="utf-8")
    assert import_documents([page], folder).written


@pytest.fixture
def collection(tmp_path: Path) -> Iterator[Collection]:
    folder = tmp_path / "seeds"
    import_cup(folder)
    with locked(folder), Collection.opened(folder) as opened:
        yield opened


def decision(field: str, value: str | None, player: str = "", reason: str = "the director says so") -> Decision:
    return Decision(CUP, player, field, value, reason, DAY)


def test_a_correction_goes_before_the_statement_which_stays(collection: Collection) -> None:
    decide(collection, [decision("players", "21"), decision("placement", "3", "bo-li")])
    assert corrected_tournament(collection, CUP)["players"] == "21"
    assert corrected_results(collection, CUP)["bo-li"]["placement"] == "3"
    stated = collection.tournament(CUP)
    assert stated is not None
    assert stated["players"] == "7"
    assert collection.results_of(CUP)["bo-li"]["placement"] == "2"


def test_a_name_that_is_nobody_is_refused_whole(collection: Collection) -> None:
    decide(collection, [decision("last_name", "TOTAL", "bo-li")])
    with pytest.raises(UserError, match="found the name `Grand TOTAL`; expected somebody's first and last name"):
        decide(collection, [decision("first_name", "Grand", "bo-li")])


def test_every_decision_stays_on_record(collection: Collection) -> None:
    for value in ("true", "false", "true"):
        decide(collection, [decision("withdrawn", value)])
    rows = [(row["correction_number"], row["value"], row["decided_on"]) for row in collection.all(CORRECTIONS)]
    assert rows == [("1", "true", "2026-01-02"), ("2", "false", "2026-01-02"), ("3", "true", "2026-01-02")]


def test_values_are_kept_as_everybody_writes_them(collection: Collection) -> None:
    given = [
        decision("kind", "wdc"),
        decision("nation_code", " gbr "),
        decision("place", "  Milton   Keynes "),
        decision("first_name", "Jose\u0301", "bo-li"),
        decision("last_name", "d'Arc", "bo-li"),
        decision("location_code", "fra", "bo-li"),
        Decision(CUP, "", "players", "9", " so ", DAY),
    ]
    recorded = decide(collection, given)
    expected = ["WDC", "GBR", "Milton Keynes", "José", "D'ARC", "FRA", "9"]
    assert [made.value for made in recorded] == expected
    assert [row["value"] for row in collection.all(CORRECTIONS)] == expected
    assert recorded[-1].reason == "so"


def test_the_future_is_accepted_when_it_is_asked_for(collection: Collection) -> None:
    decide(collection, [Decision(CUP, "", "ended_on", "2005-05-04", "x", date(2099, 1, 1))])
    assert collection.count(CORRECTIONS) == 1


def test_what_the_document_states_can_hold_again(collection: Collection) -> None:
    decide(collection, [decision("players", "21"), decision("last_name", "LIU", "bo-li"), decision("kind", "EDC")])
    decide(collection, [decision("players", None), decision("last_name", None, "bo-li")])
    assert corrected_tournament(collection, CUP)["players"] == "7"
    assert corrected_tournament(collection, CUP)["kind"] == "EDC"
    assert corrected_results(collection, CUP)["bo-li"]["last_name"] == "LI"
    assert [row["value"] for row in collection.all(CORRECTIONS)] == ["21", "LIU", "EDC", "", ""]
    with pytest.raises(UserError, match="found no correction of players to take back"), collection.all_or_nothing():
        decide(collection, [decision("players", None)])
    decide(collection, [decision("players", "21")])
    assert corrected_tournament(collection, CUP)["players"] == "21"


def test_a_revert_must_leave_a_tournament_that_could_be(collection: Collection) -> None:
    decide(collection, [decision("players", "21"), decision("placement", "20", "bo-li")])
    with pytest.raises(UserError, match="found placement `20` in club-cup-2005; expected one from 1 to 7"):
        decide(collection, [decision("players", None)])


def test_a_number_that_was_deleted_by_hand_is_not_given_again(collection: Collection) -> None:
    for players in ("8", "9", "10"):
        decide(collection, [decision("players", players)])
    collection.remove(CORRECTIONS, ("2",))
    decide(collection, [decision("players", "11")])
    assert [(row["correction_number"], row["value"]) for row in collection.all(CORRECTIONS)] == [
        ("1", "8"),
        ("3", "10"),
        ("4", "11"),
    ]


def test_the_program_decides_today_and_shows_what_is_as_stated(tmp_path: Path) -> None:
    folder = tmp_path / "a folder" / "seeds"
    import_cup(folder)

    def edit(*arguments: str) -> Done:
        return run_program(*arguments, "--seeds", folder)

    because = ("--reason", "the director says so")
    today = datetime.now().astimezone().date()
    assert "players is 21" in edit("correct", CUP, "players=21", *because).stdout
    said = edit("revert", CUP, "players", *because).stdout
    assert said.startswith(
        f"{CUP}: players is as stated (the director says so)\n{CUP}: value 8.00 (several rounds) -> 4.00"
    )
    assert edit("revert", CUP, "players", *because).returncode == 1
    lines = edit("history", CUP).stdout.splitlines()
    assert [line.split()[:2] for line in lines[1:]] == [["1", str(today)], ["2", str(today)]]
    assert "as stated" in lines[2]
    tomorrow = str(today + timedelta(days=2))
    refused = edit("withdraw", CUP, "--on", tomorrow, *because)
    assert "add --future" in refused.stderr
    assert edit("withdraw", CUP, "--on", tomorrow, "--future", *because).returncode == 0
    assert "`withdrawn` is not a fact to correct" in edit("revert", CUP, "withdrawn", *because).stderr
    # Suggested commands run as printed.
    refused = edit("correct", CUP, "rounds=5", "players=", *because)
    command = refused.stderr.replace("\n", " ").partition("states: ")[2]
    assert shlex.split(command) == ["dptr", "revert", CUP, "players", "--reason", "...", "--seeds", str(folder)]
    assert "did you mean" in edit("history", CUP.upper()).stderr


@each_case("seeds/decisions.golden")
def test_what_cannot_be_is_refused(collection: Collection, tmp_path: Path, case: Case) -> None:
    collection.upsert(
        ALIASES, {"listed_player_id": "bo-li", "tournament_id": "", "player_id": "robert-li", "reason": "a test"}
    )
    told = []
    for tournament_id, player_id, field, value, reason, day in csv.reader(unescaped(case.document).splitlines()):
        stated = None if value == "(as stated)" else value
        refused = Decision(tournament_id, player_id, field, stated, reason, date.fromisoformat(day))
        with pytest.raises(UserError) as error, collection.all_or_nothing():
            decide(collection, [refused], latest=DAY)
        told.append(" / ".join(str(error.value).splitlines()).replace(f"{tmp_path}/", ""))
    assert collection.count(CORRECTIONS) == 0
    case.check("".join(f"{message}\n" for message in told))


def rows_with(*corrections: tuple[str, str, str, str]) -> Rows:
    """Return two tournaments of two people, and corrections as (tournament, player, field, value)."""
    return reference_rows() | {
        "raw_tournaments": [tournament("one", "2005-05-01", 7), tournament("two", "2006-05-01", 7)],
        "raw_results": [result(cup, name, place) for cup in ("one", "two") for place, name in enumerate("ab", start=1)],
        "ref_corrections": [
            correction(number, tournament_id, field, value, player_id)
            for number, (tournament_id, player_id, field, value) in enumerate(corrections, start=1)
        ],
    }


RATINGS = "select player_id, rating from marts.international_ranking where rating_system_id = 'dptr' order by all"

Answer = list[tuple[object, ...]]


def answers(project: CompiledProject, rows: Rows, *queries: str) -> list[Answer]:
    """Build and test a collection; return its answers, the ratings first."""
    with project.build(rows) as connection:
        assert project.failing_tests(connection) == set()
        return [connection.execute(query).fetchall() for query in (RATINGS, *queries)]


@pytest.fixture(scope="module")
def as_stated(compiled_project: CompiledProject) -> Answer:
    """The ratings without corrections."""
    return answers(compiled_project, rows_with())[0]


def test_a_corrected_fact_is_as_if_it_had_been_stated(compiled_project: CompiledProject) -> None:
    decided = (("one", "", "players", "70"), ("two", "b", "placement", "7"), ("one", "", "kind", "WDC"))
    rows = rows_with(*decided, ("two", "", "kind", "none"))
    rows["raw_tournaments"][1]["kind"] = "WDC"
    stated = rows_with()
    stated["raw_tournaments"][0] |= {"players": 70, "kind": "WDC"}
    stated["raw_results"][-1]["placement"] = 7
    assert answers(compiled_project, rows) == answers(compiled_project, stated)


def test_a_reverted_correction_is_as_if_it_had_not_been_decided(
    compiled_project: CompiledProject, as_stated: Answer
) -> None:
    corrections = [("one", "", "players", "70"), ("two", "b", "placement", "7"), ("two", "b", "nation_code", "USA")]
    found, corrected, shown = answers(
        compiled_project,
        rows_with(*corrections, *((cup, player, field, "") for cup, player, field, _ in corrections)),
        "select distinct is_corrected from marts.tournaments",
        "select field, corrected_value, is_current from marts.corrections order by correction_number",
    )
    assert found == as_stated
    assert corrected == [(False,)]
    assert shown[:2] == [("players", "70", False), ("placement", "7", False)]
    assert shown[3:] == [("players", None, True), ("placement", None, True), ("nation_code", None, True)]


def test_a_corrected_name_and_nation_change_the_person_and_nobodys_id(
    compiled_project: CompiledProject, as_stated: Answer
) -> None:
    found, person, stated = answers(
        compiled_project,
        rows_with(
            *(("two", "b", field, value) for field, value in (("first_name", "Bea"), ("last_name", "BAKER"))),
            *(
                ("two", "b", "nation_code", "gbr"),
                ("two", "b", "location_code", "FRA"),
                ("one", "", "nation_code", "USA"),
            ),
        ),
        "select first_name, last_name, nation_code, location_code from marts.players where player_id = 'b'",
        "select field, stated_value from marts.corrections",
    )
    assert found == as_stated
    assert person == [("Bea", "BAKER", "GBR", "FRA")]
    assert ("last_name", "b") in stated
    assert stated.count(("nation_code", None)) == 2
