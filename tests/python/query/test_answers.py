"""Questions on players, rankings and tournaments: the complete output, in golden files."""

from __future__ import annotations

import json
import shlex
import subprocess
from pathlib import Path

import pytest

from dippouch.commands import database
from dippouch.console import out
from dippouch.query.lookup import find_player, find_players
from dippouch.settings import PROJECT
from support.compiled import CompiledProject, save_build
from support.golden import Case, each_case, unescaped
from support.keeper import done
from support.programs import run_here
from support.seed_rows import Rows, correction, reference_rows, result, tournament

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
        result("late", "wohlke", 9, first_name="Vic", last_name="WOHLKE"),
        result("late", "ann-lee", 1, first_name="Ann", last_name="LEE"),
        result("late", "ann-lee-2", 2, first_name="Ann", last_name="LEE", nation_code="SWE"),
        result("of-nobody-knows", "a-leigh", 7, first_name="A", last_name="LEIGH"),
        result("early", "ann-lee", 1, first_name="Ann", last_name="LEE"),
        result("late", "director", None, first_name="Di", last_name="RECTOR"),
        result("late", "joanna-leeds", 4, first_name="Joanna", last_name="LEEDS"),
        result("late", "eve", 5, first_name="[bold]Eve", last_name="\x1b[2J\nEVE"),
        *(result(f"weekly-{week}", "zoe-o-brien", week % 50 + 1, last_name="Zoë O’BRIEN") for week in range(150)),
    ],
    "ref_corrections": [correction(1, "late", "withdrawn", "true", "wohlke")],
    "ref_player_aliases": [{"listed_player_id": "a-leigh", "player_id": "ann-lee", "reason": "married"}],
}


@pytest.fixture(scope="module")
def odd(compiled_project: CompiledProject, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with people of few known facts, namesakes and a long career."""
    database = tmp_path_factory.mktemp("odd") / "rankings.duckdb"
    with compiled_project.build(reference_rows() | ROWS) as connection:
        save_build(connection, database)
    return database


@pytest.fixture(autouse=True)
def terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """A terminal of 80 columns."""
    monkeypatch.setattr(out, "width", 80)


def answered(question: str, database: Path) -> str:
    """Return the output of a question, without trailing spaces."""
    end = run_here(*shlex.split(unescaped(question)), "--database", database)
    assert bool(end.returncode) == end.stderr.startswith("error: ")
    lines = f"{end.stderr}{end.stdout}".replace(str(database), "DATABASE").splitlines()
    return "".join(f"{line.rstrip()}\n" for line in lines)


@each_case("query/published.golden")
def test_a_question_on_the_project_s_own_collection(case: Case, published: Path) -> None:
    case.check(answered(case.name, published))


@each_case("query/odd.golden")
def test_a_question_on_people_of_whom_little_is_known(case: Case, odd: Path) -> None:
    case.check(answered(case.name, odd))


@pytest.mark.parametrize(
    ("asked", "player_id"),
    [
        ("Harris", "toby-harris"),
        ("leï", "lei-saarlainen"),
        ("pontavice emm", "emmanuel-du-pontavice"),
        ("avice", "emmanuel-du-pontavice"),
        # Each word matches a different word of the name, so it is not Alex COLLINS.
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
        # An exact name precedes names that begin with it or contain it; of two namesakes neither has precedence.
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


def test_of_several_each_can_be_asked_for_as_printed(odd: Path) -> None:
    end = run_here("player", "ann", "lee", "--database", odd)
    _, *words = shlex.split(end.stderr.split("`")[3])
    assert "Ann LEE" in done(run_here(*words))
    meant = json.loads(run_here("player", "ann lee", "--json", "--database", odd).stdout)["meant"]
    assert [one["player_id"] for one in meant] == ["ann-lee", "ann-lee-2"]


def test_a_long_career_has_every_result_and_few_parts(odd: Path) -> None:
    report = answered("player zoe", odd)
    weeks = [line.split()[1] for line in report.splitlines() if line.startswith("2010-")]
    assert weeks == [f"weekly-{week}" for week in range(150)]
    assert [line.split()[0] for line in report.split("\n\n")[-1].splitlines()[1:4]] == ["initial", "138", "weekly-138"]


def test_the_worked_example_of_the_rules_is_what_an_event_would_do(published: Path) -> None:
    """8th of 65 players in several rounds: 15 percent of the gap to 57.5 / 65 * 100, from any rating."""
    asked = "what-if cyrille-sevin --players 65 --rounds 4 --placement 8 --json"
    answer = json.loads(answered(asked, published))
    (placement,) = answer["placements"]
    before = answer["rating_before"]
    assert answer["event"]["tournament_value"] == 15
    assert placement["rating_after"] == pytest.approx(before + 0.15 * (57.5 / 65 * 100 - before), abs=1e-12)


def test_a_refresh_prints_what_was_asked_and_refuses_an_unknown_nation_before_it_builds(
    published: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "refresh_rankings", lambda *_, **__: None)
    monkeypatch.setenv("DPTR_WAREHOUSE", str(published.parent))
    printed = done(run_here("refresh", "--nation", "france", "--top", "3"))
    _, ranking = printed.split("\n\n", 1)
    asked = answered("ranking --nation FRA --top 3", published)
    assert [line.rstrip() for line in ranking.splitlines()] == asked.splitlines()
    monkeypatch.setattr(database, "refresh_rankings", lambda *_, **__: pytest.fail("it was built"))
    end = run_here("refresh", "--nation", "Atlantis")
    assert end.stderr.startswith("error: found the nation `Atlantis`; expected an ISO code")


@pytest.mark.parametrize(
    ("settings", "words"),
    [([], ""), (["TOP=50"], "[--top][50]"), (["NATION=Côte d'Ivoire", "TOP=3"], "[--top][3][--nation][Côte d'Ivoire]")],
)
def test_make_hands_on_what_to_print(settings: list[str], words: str, tmp_path: Path) -> None:
    shown = tmp_path / "dptr"
    shown.write_text('#!/bin/sh\nprintf "[%s]" "$@"\n', encoding="utf-8")
    shown.chmod(0o755)
    command = ["make", "--no-print-directory", "-o", ".venv/run.lock", f"BIN={tmp_path}", "rankings"]
    printed = subprocess.run([*command, *settings], cwd=PROJECT, capture_output=True, text=True, check=True).stdout
    assert printed == f"[refresh]{words}"
