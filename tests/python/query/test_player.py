"""The report of a player: who is meant, and what is said of them."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any

import pytest

from dippouch.console import out
from dippouch.db import literal
from dippouch.query.lookup import find_player, find_players
from support.compiled import CompiledProject
from support.keeper import done
from support.programs import Done, run_here
from support.seed_rows import Rows, reference_rows, result, tournament

LONG_NAME = "Tournament of Innumerable Words " * 6
ROWS: Rows = {
    "raw_tournaments": [
        tournament("early", "1999-05-01", 20),
        tournament("of-nobody-knows", "2002-05-01", None),
        tournament("late", "2003-05-01", 20, name=LONG_NAME.strip()),
        *(tournament(f"weekly-{week}", f"2010-{week // 28 + 1:02}-{week % 28 + 1:02}", 50) for week in range(150)),
    ],
    "raw_results": [
        result("early", "cher", 3, last_name="CHER"),
        result("late", "ann-lee", 1, first_name="Ann", last_name="LEE"),
        result("late", "ann-lee-2", 2, first_name="Ann", last_name="LEE", nation_code="SWE"),
        result("of-nobody-knows", "a-leigh", 7, first_name="A", last_name="LEIGH"),
        result("early", "ann-lee", 1, first_name="Ann", last_name="LEE"),
        result("late", "director", None, first_name="Di", last_name="RECTOR"),
        result("late", "joanna-leeds", 4, first_name="Joanna", last_name="LEEDS"),
        result("late", "eve", 5, first_name="[bold]Eve", last_name="\x1b[2J\nEVE"),
        *(result(f"weekly-{week}", "zoe-o-brien", week % 50 + 1, last_name="Zoë O’BRIEN") for week in range(150)),
    ],
    "ref_player_aliases": [{"listed_player_id": "a-leigh", "player_id": "ann-lee", "reason": "married"}],
}


@pytest.fixture(scope="module")
def odd(compiled_project: CompiledProject, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with people of whom little is known, namesakes and a long career."""
    database = tmp_path_factory.mktemp("odd") / "rankings.duckdb"
    with compiled_project.build(reference_rows() | ROWS) as connection:
        compiled_project.build_presentation(connection)
        connection.execute(f"attach {literal(database)} as on_disk")
        connection.execute("copy from database build to on_disk")
    return database


def ask(database: Path, *words: str) -> Done:
    return run_here("player", *words, "--database", database)


def told(database: Path, *words: str) -> dict[str, Any]:
    report: dict[str, Any] = json.loads(done(ask(database, *words, "--json")))
    return report


def facts(report: str) -> dict[str, str]:
    """The lines before the tables, by their labels."""
    return {line[:12].strip(): line[12:] for line in report.split("\n\n", maxsplit=1)[0].splitlines()}


@pytest.mark.parametrize(
    ("asked", "player_id"),
    [
        ("Harris", "toby-harris"),
        ("leï", "lei-saarlainen"),
        ("pontavice emm", "emmanuel-du-pontavice"),
        ("avice", "emmanuel-du-pontavice"),
        # Two words are of two words of the name, so that it is not Alex COLLINS.
        ("alex a", "alex-amann"),
        ("toby-harris", "toby-harris"),
        ("Björn VON KNORRING", "bjorn-von-knorring"),
    ],
)
def test_any_part_of_a_name_finds_who_is_meant(published: Path, asked: str, player_id: str) -> None:
    assert find_player(published, "dptr", asked)["player_id"] == player_id


@pytest.mark.parametrize(
    ("asked", "ids"),
    [
        # Who is called so goes before whose name begins so or holds it; of two namesakes neither goes before the other.
        ("Ann Lee", ["ann-lee", "ann-lee-2"]),
        ("ann-lee", ["ann-lee"]),
        ("lee 2", ["ann-lee-2"]),
        ("lee ann", ["ann-lee", "ann-lee-2"]),
        ("oanna", ["joanna-leeds"]),
        # An id that documents list.
        ("A. Leigh", ["ann-lee"]),
        ("o’brien", ["zoe-o-brien"]),
    ],
)
def test_who_is_called_so_goes_before_whose_name_holds_it(odd: Path, asked: str, ids: list[str]) -> None:
    assert [one["player_id"] for one in find_players(odd, "dptr", asked)] == ids


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ("tobi haris", "found no player `tobi haris`; did you mean `toby-harris`?"),
        ("zzzzqq", "found no player `zzzzqq`\n"),
        ("?!", "found `?!`, which has no letter or digit; expected a part of a name, or an id"),
        ("\x1b[2J", "found no player `\\x1b[2J`"),
    ],
)
def test_nobody_is_a_message(published: Path, asked: str, message: str) -> None:
    end = ask(published, asked)
    assert (end.returncode, end.stdout) == (1, "")
    assert end.stderr.startswith("error: ")
    assert message in end.stderr


def test_several_are_listed_with_a_way_to_one_that_runs_as_printed(odd: Path) -> None:
    end = ask(odd, "ann", "lee", "--system", "dptr-flat")
    assert end.returncode == 1
    lines = [line.split() for line in end.stdout.splitlines()]
    assert lines == [
        ["player", "nation", "rank", "id"],
        ["Ann", "LEE", "-", "1", "ann-lee"],
        ["Ann", "LEE", "SWE", "2", "ann-lee-2"],
    ]
    assert end.stderr.startswith("error: found 2 players for `ann lee`; ask for one by the id, such as `")
    _, *words = shlex.split(end.stderr.split("`")[3])
    assert "Ann LEE" in done(run_here(*words))
    assert [one["player_id"] for one in json.loads(ask(odd, "ann lee", "--json").stdout)["meant"]] == [
        "ann-lee",
        "ann-lee-2",
    ]


def test_a_report_has_rank_nation_peak_and_medals(published: Path) -> None:
    assert facts(done(ask(published, "Harris"))) == {
        "player": "Toby HARRIS",
        "id": "toby-harris",
        "nation": "United Kingdom",
        "rank": "5 of 213, 1 of 1 from United Kingdom",
        "rating": "51.6000, rating system `dptr`",
        "peak": "51.6000 on 2013-08-25",
        "best year": "2013, with rank 5 at its end",
        "medals": "0 gold, 1 silver, 0 bronze",
        "best place": "2 of 75, World DipCon XXIII 2013",
        "tournaments": "1, of which 1 counted, from 2013-08-25 to 2013-08-25",
    }


def test_who_is_not_ranked_has_the_initial_rating_and_what_is_known(published: Path, odd: Path) -> None:
    unlisted = done(ask(published, "lebedev"))
    assert facts(unlisted)["tournaments"] == "none in this collection"
    assert "ended on" not in unlisted
    _, history, parts = done(ask(odd, "rector")).split("\n\n")
    assert history.splitlines()[1].split()[-6:] == ["-"] * 6
    assert history.splitlines()[-1] == "not counted: 1, no placement"
    assert parts.split()[-2:] == ["rating", "40.0000"]


def test_a_name_of_one_part_and_only_events_of_value_0(odd: Path) -> None:
    report = done(ask(odd, "cher"))
    assert facts(report) == {
        "player": "CHER",
        "id": "cher",
        "nation": "not stated",
        "rank": "none: no tournament counted, of 5 ranked players",
        "rating": "40.0000, as at the beginning, rating system `dptr`",
        "medals": "0 gold, 0 silver, 1 bronze",
        "best place": "3 of 20, early",
        "tournaments": "1, of which 0 counted, from 1999-05-01 to 1999-05-01",
    }
    _, history, breakdown = report.split("\n\n")
    assert history.splitlines()[1].split() == "1999-05-01 early 3 of 20 87.50 0.00 40.00 +0.00 40.00".split()
    assert history.splitlines()[2] == "not counted: 1, before first counted day"
    assert [line.split() for line in breakdown.splitlines()[1:]] == [
        ["initial", "rating", "1.0000", "40.00", "40.0000"],
        ["rating", "40.0000"],
    ]


def test_an_alias_is_told_and_what_is_listed_under_it_counts(odd: Path) -> None:
    report = done(ask(odd, "leigh"))
    assert facts(report)["player"] == "Ann LEE"
    assert facts(report)["listed as"] == "a-leigh"
    assert "not counted: 1, before first counted day\nnot counted: 1, players not declared\n" in report
    assert [played["tournament_id"] for played in told(odd, "leigh")["history"]] == ["early", "of-nobody-knows", "late"]


def test_a_long_career_and_a_long_name_fit_a_terminal(odd: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(out, "width", 80)
    report = done(ask(odd, "zoe"))
    assert [line.split()[1] for line in report.splitlines() if line.startswith("2010-")] == [
        f"weekly-{week}" for week in range(150)
    ]
    assert [line.split()[0] for line in report.split("\n\n")[-1].splitlines()[1:4]] == ["initial", "138", "weekly-138"]
    _, of_a_long_name = done(ask(odd, "joanna")).split("\n\n", 1)
    assert "of 20 82.50 7.71 40.00 +3.28 43.28" in " ".join(of_a_long_name.split())
    assert max(map(len, (report + of_a_long_name).splitlines())) <= 80
