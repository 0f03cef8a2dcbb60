"""`dptr sql`: DuckDB's shell on the published file, which cannot write or read another file."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from support.programs import Done, run_program
from support.seed_rows import contents

REFUSED = re.compile("Permission Error|read-only mode|cannot be used in -safe mode|configuration has been locked")
FORBIDDEN = [
    "copy (select 1) to '{own}' (format csv, use_tmp_file false)",
    "delete from marts.players",
    "attach '{folder}/new.duckdb'",
    "install httpfs",
    "set enable_external_access = true",
    "from read_text('{own}')",
    "from '{outside}'",
    "select getenv('HOME')",
    ".open {folder}/new.duckdb",
    ".output {folder}/new.txt",
    ".read {outside}",
    ".shell touch {folder}/new.txt",
]


@pytest.fixture
def database(published: Path, tmp_path: Path) -> Path:
    """A published file alone in its folder, with a name that needs quotes."""
    path = tmp_path / "it's" / "rankings.duckdb"
    path.parent.mkdir()
    path.write_bytes(published.read_bytes())
    return path


def asked(database: Path, *words: str, stdin: str = "") -> Done:
    return run_program("sql", "--database", database, *words, stdin=stdin, HOME=database.parent)


def test_formats_of_an_argument_and_of_the_input(database: Path) -> None:
    sql = "select international_rank as rank, player_id from find_player('Edi Birsan')"
    assert asked(database, "--csv", sql).stdout == "rank,player_id\n1,edi-birsan\n"
    assert asked(database, "--csv", "select 1 as one, null as none").stdout == "one,none\n1,\n"
    assert asked(database, "--json", stdin=f"{sql};\n").stdout == '[{"rank":1,"player_id":"edi-birsan"}]\n'


@pytest.mark.parametrize("given", ["input", *(sql for sql in FORBIDDEN if sql.startswith((".", "copy", "attach")))])
def test_nothing_is_written_and_no_other_file_is_read(given: str, database: Path, tmp_path: Path) -> None:
    """The shell takes a statement as an argument, or all of them from its input."""
    outside = tmp_path / "outside.csv"
    outside.write_text("secret\nnumber\n")
    before = contents(tmp_path)
    statements = []
    for sql in FORBIDDEN if given == "input" else [given]:
        own = database if sql.startswith(".") else str(database).replace("'", "''")
        statements.append(sql.format(own=own, folder=Path(own).parent, outside=outside))
    words, stdin = ([], "".join(f"{sql}\n;\n" for sql in statements)) if given == "input" else (statements, "")
    end = asked(database, *words, stdin=stdin)
    assert end.returncode == 1, end.stdout
    assert len(REFUSED.findall(end.stderr)) == len(statements), end.stderr
    assert "secret" not in end.stdout
    assert contents(tmp_path) == before


def test_output_to_a_pipe_has_no_colours_and_an_error_says_why(database: Path) -> None:
    end = asked(database, stdin=".tables\ndescribe players;\n")
    assert (end.returncode, "\x1b" in end.stdout, "players" in end.stdout) == (0, False, True)
    end = asked(database, "select player from players")
    assert (end.returncode, 'Candidate bindings: "player_id"' in end.stderr) == (1, True)
