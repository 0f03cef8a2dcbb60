"""Questions on players, rankings and tournaments: the complete output, in golden files."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from dippouch.console import out
from dippouch.db import query
from support.compiled import CompiledProject, save_build
from support.golden import Case, each_case, unescaped
from support.programs import run_here
from support.seed_rows import Rows, correction, reference_rows, result, tournament

LONG_NAME = "Tournament of Innumerable Words " * 3
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
        result("late", "ivan-petrov", 6, first_name="Иван", last_name="ПЕТРОВ"),
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


@each_case("query/people.golden")
def test_a_typed_text_finds_people_the_likeliest_first(case: Case, odd: Path) -> None:
    found = ""
    for text in case.document.splitlines():
        people = query(odd, "from marts.find_player(?)", [unescaped(text)])
        found += " | ".join([text, *(f"{one['matched_by']}: {one['player_id']}" for one in people)]) + "\n"
    case.check(found)


def test_a_long_career_has_every_result_and_few_parts(odd: Path) -> None:
    report = answered("player zoe", odd)
    weeks = [line.split()[1] for line in report.splitlines() if line.startswith("2010-")]
    assert weeks == [f"weekly-{week}" for week in range(150)]
    assert [line.split()[0] for line in report.split("\n\n")[-1].splitlines()[1:4]] == ["initial", "138", "weekly-138"]


def test_a_published_file_answers_alone(published: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("DPTR_SEEDS", str(tmp_path / "none"))
    assert "2 players from Sweden" in answered("ranking --nation swe", published)
