"""`dptr sql`: DuckDB's shell on the published file, which cannot write or read another file."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import duckdb
import pytest

from dippouch.db import literal
from support.programs import run_program
from support.seed_rows import contents

REFUSED = re.compile("Permission Error|read-only mode|cannot be used in -safe mode|configuration has been locked")


@pytest.fixture
def database(tmp_path: Path) -> Path:
    """A database with one small mart, alone in its folder, with a name that needs quotes."""
    path = tmp_path / "it's" / "rankings.duckdb"
    path.parent.mkdir()
    _publish(path, "select 'ann' as player_id, 2 as golds")
    return path


def _publish(path: Path, medals: str) -> None:
    """Write a database with one mart in a version that the shell reads."""
    with duckdb.connect() as connection:
        connection.execute(f"attach {literal(path)} as new (storage_version 'v1.4.0')")
        connection.execute("create schema new.marts")
        connection.execute(f"create table new.marts.medals as {medals}")


def test_names_of_views_tables_and_functions_answer(published: Path) -> None:
    system = "rating_system_id = 'dptr'"
    for relation in (
        "international_ranking where rank = 1",
        f"marts.international_ranking where rank = 1 and {system}",
        "marts.ranking_on('dptr', '2026-01-01') where rank = 1",
    ):
        end = run_program("sql", "--json", f"select rank, player_id from {relation}", DPTR_WAREHOUSE=published.parent)
        assert (end.returncode, json.loads(end.stdout)) == (0, [{"rank": 1, "player_id": "edi-birsan"}])


@pytest.mark.parametrize(
    ("options", "printed"),
    [
        (["--csv"], "player_id,golds\nann,2\n"),
        (["--json"], '[{"player_id":"ann","golds":2}]\n'),
        (["--markdown"], "| player_id | golds |\n|-----------|------:|\n| ann       | 2     |\n"),
    ],
)
@pytest.mark.parametrize("given", ["argument", "input"])
def test_formats(options: list[str], printed: str, given: str, database: Path) -> None:
    sql = "select * from marts.medals"
    words = [*options, *([sql] if given == "argument" else [])]
    end = run_program("sql", "--database", database, *words, stdin="" if given == "argument" else f"{sql};\n")
    assert (end.returncode, end.stdout, end.stderr) == (0, printed, "")


FORBIDDEN = [
    "copy (select 1) to '{own}' (format csv, use_tmp_file false)",
    "explain analyze copy (select 1) to '{own}' (format csv, use_tmp_file false)",
    "delete from marts.medals",
    "create table marts.more as select 1",
    "attach '{folder}/new.duckdb'",
    "install httpfs",
    "set enable_external_access = true",
    "set memory_limit = '1TB'",
    "from read_text('{own}')",
    "from '{outside}'",
    "select getenv('HOME')",
    "create persistent secret (type s3)",
    ".open {folder}/new.duckdb",
    ".output {folder}/new.txt",
    ".read {outside}",
    ".shell touch {folder}/new.txt",
]


@pytest.mark.parametrize("given", ["input", *(sql for sql in FORBIDDEN if sql.startswith((".", "copy", "attach")))])
def test_nothing_is_written_and_no_other_file_is_read(given: str, database: Path, tmp_path: Path) -> None:
    """The shell takes a statement as an argument, or all of them from its input."""
    outside = tmp_path / "outside.csv"
    outside.write_text("secret\nnumber\n")
    before = contents(tmp_path)
    statements = FORBIDDEN if given == "input" else [given]
    asked = []
    for sql in statements:
        own = str(database).replace("'", "''") if not sql.startswith(".") else database
        asked.append(sql.format(own=own, folder=str(Path(own).parent), outside=outside))
    words, stdin = ([], "".join(f"{sql}\n;\n" for sql in asked)) if given == "input" else (asked, "")
    end = run_program("sql", "--database", database, *words, stdin=stdin, HOME=tmp_path)
    assert end.returncode == 1, end.stdout
    assert len(REFUSED.findall(end.stderr)) == len(statements), end.stderr
    assert "secret" not in end.stdout
    assert contents(tmp_path) == before


def test_a_new_publication_disturbs_no_open_shell(database: Path) -> None:
    command = [sys.executable, "-m", "dippouch", "sql", "--csv", "--database", str(database)]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, bufsize=1) as shell:
        assert shell.stdin
        assert shell.stdout
        shell.stdin.write("select golds from marts.medals;\n")
        assert [shell.stdout.readline(), shell.stdout.readline()] == ["golds\n", "2\n"]
        newer = database.with_name("newer.duckdb")
        _publish(newer, "select 'bob' as player_id, 3 as golds")
        newer.replace(database)
        told, _ = shell.communicate("select sum(golds) as golds from marts.medals;\n")
    assert told == "golds\n2\n"
    assert run_program("sql", "--csv", "--database", database, "select golds from marts.medals").stdout == "golds\n3\n"


def test_a_question_that_has_no_answer_says_why(database: Path) -> None:
    end = run_program("sql", "--database", database, "select player from marts.medals")
    assert end.returncode == 1
    assert 'Candidate bindings: "player_id"' in end.stderr
