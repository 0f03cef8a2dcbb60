"""Decisions of the rating keeper on a tournament: what is accepted, what is not, and what they do to the ratings."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from datetime import date, datetime, timedelta
from pathlib import Path

import pytest

from dippouch.db import reading
from dippouch.errors import UserError
from dippouch.seeds.corrections import Decision, corrected_results, corrected_tournament, decide
from dippouch.seeds.folder import locked
from dippouch.seeds.schema import ALIASES, CORRECTIONS
from dippouch.seeds.store import Collection
from dippouch.verification.compare import verify
from support.compiled import CompiledProject
from support.made_documents import table, take
from support.programs import Done, run_program
from support.seed_rows import Rows, reference_rows, result, tournament, write_collection

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


REFUSED = [
    (
        decision("last_name", "TOTAL (GM)", "bo-li"),
        "found the name `Bo TOTAL (GM)` with `GM` in it, which is no part of a name",
    ),
    (decision("last_name", "(GM)", "bo-li"), "with `GM` in it"),
    (
        decision("first_name", "B\u043e", "bo-li"),
        "U+043E (cyrillic small letter o), which looks like `o`, among Latin letters",
    ),
    (decision("first_name", "[b]Bo[/]", "bo-li"), "`[` (left square bracket)"),
    (decision("place", "-2+3+cmd|"), "`-` at its beginning, which a spreadsheet runs as a formula"),
    (decision("ended_on", "3013-01-25"), "expected no day after 2026-01-02, which is today"),
    (decision("players", "1"), "found players `1` of club-cup-2005; expected at least the 2 that are listed"),
    (decision("placement", "8", "bo-li"), "found placement `8` in club-cup-2005; expected one from 1 to 7"),
    (decision("players", "many"), "expected a whole number from 1"),
    (decision("players", "0"), "expected a whole number from 1"),
    (decision("players", "1000001"), "from 1 to 1000000"),
    (decision("players", "７"), "expected a whole number from 1"),
    (decision("players", "7"), "is `7` already"),
    (decision("players", ""), "revert club-cup-2005 players --reason ..."),
    (decision("placement", "", "bo-li"), "revert club-cup-2005 placement --player bo-li --reason ..."),
    (decision("rounds", "-1"), "expected a whole number from 1"),
    (decision("kind", "WORLD"), "expected a kind of ref_tournament_kinds"),
    (decision("kind", "wdcc"), "; did you mean `WDC`"),
    (decision("nation_code", "GER"), "; did you mean `DEU`?"),
    (decision("nation_code", "Frence"), "; did you mean `FRA` (France)?"),
    (decision("nation_code", "QQQ", "bo-li"), "found nation_code `QQQ`; expected a nation_code of"),
    (decision("location_code", "FRX", "bo-li"), "; did you mean `FR"),
    (decision("started_on", "2005-13-01"), "expected a day as YYYY-MM-DD"),
    (decision("ended_on", "20050502"), "found ended_on `20050502`; expected a day as YYYY-MM-DD"),
    (decision("ended_on", "2005W186"), "found ended_on `2005W186`; expected a day as YYYY-MM-DD"),
    (decision("started_on", "1899-12-31"), "from 1900-01-01 to 2100-12-31"),
    (decision("ended_on", "2026-01-03"), "expected no day after 2026-01-02, which is today"),
    (decision("ended_on", "2009-05-02"), "expected at most 1098 days from the one to the other"),
    (decision("started_on", "2005-06-01"), "expected the days in order"),
    (decision("name", " "), "found no value of name; expected one"),
    (decision("name", "=cmd()"), "which a spreadsheet runs as a formula"),
    (
        decision("place", "Par\u202eis"),
        "found place `Par\\u202eis`; expected characters that can be seen, not the character U+202E",
    ),
    (decision("subtitle", "x" * 201), "expected at most 200, not 201 characters"),
    (decision("last_name", "@cmd", "bo-li"), "which a spreadsheet runs as a formula"),
    (decision("last_name", "L\u200bI", "bo-li"), "not the character U+200B"),
    (decision("first_name", "Bo<b>", "bo-li"), "not the character `<`"),
    (decision("first_name", "...", "bo-li"), "expected a name with a letter"),
    (decision("winner", "me"), "expected one of name, subtitle"),
    (decision("player", "7"), "; did you mean `players`"),
    (decision("listed_name", "Bo LI", "bo-li"), "expected one of placement, first_name, last_name"),
    (decision("withdrawn", "true", "cy-wu"), "no such listed player"),
    (decision("withdrawn", "true", "Bo-Li"), "no such listed player in this tournament; did you mean `bo-li`?"),
    (decision("withdrawn", "true", "robert-li"), "who is listed there as `bo-li`"),
    (decision("withdrawn", "yes"), "expected `true` or `false`"),
    (decision("withdrawn", "true", reason=" "), "found no reason"),
    (decision("withdrawn", "true", reason="\u202eso"), "in the reason; expected characters that can be seen"),
    (decision("players", None), "found no correction of players, which is as the document states it (`7`)"),
    (
        decision("placement", None, "bo-li"),
        "found no correction of placement, which is as the document states it (`2`)",
    ),
    (decision("place", None), "which is as the document states it (nothing)"),
    (decision("withdrawn", None, "bo-li"), "restore club-cup-2005 --player bo-li --reason ..."),
    (Decision("nowhere", "", "withdrawn", "true", "x", DAY), "no such tournament"),
    (Decision("Club-Cup-2005", "", "withdrawn", "true", "x", DAY), "; did you mean `club-cup-2005`?"),
    (
        Decision(CUP, "", "withdrawn", "true", "x", date(2026, 1, 3)),
        "found a decision of 2026-01-03; expected no day after",
    ),
    (
        Decision(CUP, "", "withdrawn", "true", "x", date(26, 1, 1)),
        "found a decision of 0026-01-01; expected a day from",
    ),
]


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
    with pytest.raises(UserError, match="found no correction of players"):
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
    with locked(folder), Collection.opened(folder) as new:
        take(new, table("Ann LEE", "Bo LI", declared=7))
        new.write()

    def edit(*arguments: str) -> Done:
        return run_program(*arguments, "--seeds", folder)

    because = ("--reason", "the director says so")
    today = datetime.now().astimezone().date()
    assert "players is 21" in edit("correct", CUP, "players=21", *because).stdout
    assert edit("revert", CUP, "players", *because).stdout == f"{CUP}: players is as stated (the director says so)\n"
    assert edit("revert", CUP, "players", *because).returncode == 1
    lines = edit("history", CUP).stdout.splitlines()
    assert [line.split()[:2] for line in lines[1:]] == [["1", str(today)], ["2", str(today)]]
    assert "as stated" in lines[2]
    tomorrow = str(today + timedelta(days=2))
    refused = edit("withdraw", CUP, "--on", tomorrow, *because)
    assert "add --future" in refused.stderr
    assert edit("withdraw", CUP, "--on", tomorrow, "--future", *because).returncode == 0
    assert "`withdrawn` is no fact to correct" in edit("revert", CUP, "withdrawn", *because).stderr
    # What a message suggests runs as it is printed.
    refused = edit("correct", CUP, "rounds=5", "players=", *because)
    command = refused.stderr.replace("\n", " ").partition("states: ")[2]
    assert shlex.split(command) == ["dptr", "revert", CUP, "players", "--reason", "...", "--seeds", str(folder)]
    assert "did you mean" in edit("history", CUP.upper()).stderr


@pytest.mark.parametrize(("refused", "message"), REFUSED, ids=[message for _, message in REFUSED])
def test_what_cannot_be_is_refused(collection: Collection, refused: Decision, message: str) -> None:
    collection.upsert(
        ALIASES, {"listed_player_id": "bo-li", "tournament_id": "", "player_id": "robert-li", "reason": "a test"}
    )
    with pytest.raises(UserError) as error, collection.all_or_nothing():
        decide(collection, [refused], latest=DAY)
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


def test_a_reverted_correction_is_as_if_it_had_not_been_decided(compiled_project: CompiledProject) -> None:
    corrections = [("one", "", "players", "70"), ("two", "b", "placement", "7"), ("two", "b", "nation_code", "USA")]
    rows = rows_with(*corrections, *((cup, player, field, "") for cup, player, field, _ in corrections))
    assert ratings(compiled_project, rows) == ratings(compiled_project, rows_with())
    with compiled_project.build(rows) as connection:
        assert connection.execute("select distinct is_corrected from build.marts.tournaments").fetchall() == [(False,)]
        shown = connection.execute(
            "select field, corrected_value, is_current from build.marts.corrections order by correction_number"
        ).fetchall()
    assert shown[:2] == [("players", "70", False), ("placement", "7", False)]
    assert shown[3:] == [("players", None, True), ("placement", None, True), ("nation_code", None, True)]


def test_a_corrected_name_and_nation_change_the_person_and_nobodys_id(compiled_project: CompiledProject) -> None:
    rows = rows_with(
        *(("two", "b", field, value) for field, value in (("first_name", "Bea"), ("last_name", "BAKER"))),
        *(("two", "b", "nation_code", "gbr"), ("two", "b", "location_code", "FRA"), ("one", "", "nation_code", "USA")),
    )
    assert ratings(compiled_project, rows) == ratings(compiled_project, rows_with())
    with compiled_project.build(rows) as connection:
        person = connection.execute(
            "select player_id, first_name, last_name, nation_code, location_code from build.marts.players"
            " where player_id = 'b'"
        ).fetchall()
        stated = connection.execute("select field, stated_value from build.marts.corrections order by all").fetchall()
    assert person == [("b", "Bea", "BAKER", "GBR", "FRA")]
    assert ("last_name", "b") in stated
    assert stated.count(("nation_code", None)) == 2


def test_the_verification_agrees_on_names_nations_and_reverts(
    compiled_project: CompiledProject, tmp_path: Path
) -> None:
    rows = rows_with(
        *(("two", "b", "last_name", "BAKER"), ("one", "b", "last_name", "B"), ("two", "b", "nation_code", "gbr")),
        *(
            ("one", "", "players", "70"),
            ("one", "", "players", ""),
            ("one", "", "kind", "wdc"),
            ("two", "a", "placement", "2"),
            ("two", "a", "placement", ""),
        ),
        *(("two", "", "rounds", "1"), ("two", "", "name", "Another")),
    )
    rows["ref_player_aliases"] = [{"listed_player_id": "b", "tournament_id": "two", "player_id": "c", "reason": "x"}]
    folder = write_collection(tmp_path / "seeds", rows)
    database = tmp_path / "rankings.duckdb"
    with compiled_project.build(rows) as connection:
        assert compiled_project.failing_tests(connection) == set()
        connection.execute(f"attach '{database}' as published")
        connection.execute("copy from database build to published (schema)")
        for schema, name in connection.execute(
            "select schema_name, table_name from duckdb_tables() where database_name = 'build'"
        ).fetchall():
            connection.execute(f"insert into published.{schema}.{name} from build.{schema}.{name}")
        connection.execute("detach published")
    reports = verify(database, folder, on_table=lambda table: None)
    assert [report for report in reports if report.discrepancies] == []
    with reading(database) as connection:
        connection.execute("select last_name, nation_code from published.marts.players where player_id = 'c'")
        assert connection.fetchall() == [("BAKER", "GBR")]
