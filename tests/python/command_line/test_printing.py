"""What is printed drives no terminal, and no encoding of a terminal ends a program."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from dippouch.console import err, out, plain_table
from dippouch.printable import visible, visible_line
from support.keeper import Keeper, done
from support.programs import command_of, run_here

# Clears the screen, goes back to the beginning of the line, and turns the direction of writing.
ORDERS = "\x1b[2J\r\u202e\x9b31m"
SHOWN = r"\x1b[2J\r\u202e\x9b31m"
ASCII_ONLY = {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii"}


@pytest.mark.parametrize(
    ("text", "shown", "on_a_line"),
    [
        (f"a{ORDERS}", f"a{SHOWN}", f"a{SHOWN}"),
        ("one\n\ttwo", "one\n\ttwo", r"one\n\ttwo"),
        ("no \udcff text", r"no \udcff text", r"no \udcff text"),
        ("Zoë, Ғани, 山田, שלום", "Zoë, Ғани, 山田, שלום", "Zoë, Ғани, 山田, שלום"),
    ],
)
def test_orders_to_a_terminal_are_shown(text: str, shown: str, on_a_line: str) -> None:
    assert (visible(text), visible_line(text)) == (shown, on_a_line)


def test_whatever_the_console_prints_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    table = plain_table(f"head{ORDERS}", caption=f"low{ORDERS}")
    table.add_row(f"cell{ORDERS}")
    out.print(table)
    err.print(f"[bold]message[/]{ORDERS}")
    told = capsys.readouterr()
    assert [line.rstrip() for line in told.out.splitlines()] == [f"{word}{SHOWN}" for word in ("head", "cell", "low")]
    assert told.err == f"message{SHOWN}\n"


def test_a_file_name_that_forges_a_message_is_shown_on_its_line(tmp_path: Path) -> None:
    keeper = Keeper(tmp_path)
    name = f"a{ORDERS}\nerror: all is lost.csv"
    end = keeper.imports("no table\n", name=name)
    assert end.returncode == 1
    assert "\x1b" not in end.stdout + end.stderr
    assert rf"a{SHOWN}\nerror: all is lost.csv: found a name with the character U+001B" in end.stderr


@pytest.mark.parametrize(
    "words",
    [
        ("ranking", "--\x1b[2J"),
        ("ranking", ORDERS),
        (ORDERS,),
        ("history", f"--{ORDERS}"),
        ("import", "--as", ORDERS),
        ("what-if", ORDERS, "--players", ORDERS),
    ],
)
def test_a_wrong_command_line_is_shown(words: tuple[str, ...]) -> None:
    end = run_here(*words)
    assert end.returncode == 2
    assert "\x1b" not in end.stderr
    assert r"\x1b[2J" in end.stderr


def _run_bytes(folder: Path, name: str, *words: str | bytes) -> subprocess.CompletedProcess[bytes]:
    command = [*command_of(name), *words]
    environment = {**os.environ, **ASCII_ONLY, "TMPDIR": str(folder)}
    return subprocess.run(command, capture_output=True, check=False, env=environment)


def test_a_terminal_of_ascii_only_shows_escapes_and_programs_read_utf8(published: Path, tmp_path: Path) -> None:
    (tmp_path / "standings.csv").write_text(
        "name,Café Cup\nplacement,first_name,last_name\n1,Zoë,MÜLLER\n", encoding="utf-8"
    )
    facts = ("--date", "2010-05-01", "--players", "20", "--rounds", "3")
    end = _run_bytes(tmp_path, "import", str(tmp_path / "standings.csv"), "--seeds", str(tmp_path / "seeds"), *facts)
    assert (end.returncode, end.stderr) == (0, b"")
    assert b"Caf\\xe9 Cup" in end.stdout
    told = _run_bytes(tmp_path, "player", "--database", str(published), "--json", "von-knorring")
    assert json.loads(told.stdout.decode())["first_name"] == "Björn"


def test_arguments_that_are_no_text_are_shown(tmp_path: Path) -> None:
    end = _run_bytes(tmp_path, "import", b"no\xff.csv", "--seeds", str(tmp_path / "seeds"))
    assert end.returncode == 1
    assert b"no\\udcff.csv" in end.stderr
    assert b"Traceback" not in end.stderr


@pytest.mark.parametrize(
    "words",
    [
        ("player", "no\udcff"),
        ("ranking", "--nation", "\udcff"),
        ("what-if", "no\udcff", "--players", "9"),
        ("what-if", "toby-harris", "--players", "9", "--system", "\udcff"),
        ("what-if", "toby-harris", "--players", "9", "--kind", "\udcff"),
        ("verify", "--seeds", "no\udcff"),
        ("verify", "--database", "no\udcff"),
        ("duplicates", "--seeds", "no\udcff"),
        ("duplicates", "distinct", "\udcff", "\udcfe", "--reason", "\udcff"),
        ("history", "\udcff"),
    ],
)
def test_every_program_takes_such_arguments_for_what_they_are(
    words: tuple[str, ...], published: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DPTR_WAREHOUSE", str(published.parent))
    seeds = Keeper(tmp_path)
    done(seeds.event("1,Ada,LOVELACE,\n2,Emmy,NOETHER,\n"))
    monkeypatch.setenv("DPTR_SEEDS", str(seeds.seeds))
    monkeypatch.chdir(tmp_path)
    end = run_here(*words)
    assert end.returncode in (1, 2), end.stdout
    assert "Where in the program" not in end.stderr
    assert "\udcff" not in end.stderr


def test_a_database_whose_name_is_no_text_is_refused(published: Path, tmp_path: Path) -> None:
    path = tmp_path / "no\udcff.duckdb"
    path.write_bytes(published.read_bytes())
    end = run_here("ranking", "--database", path)
    assert end.returncode == 1
    assert "found a name that is not UTF-8, which DuckDB cannot open" in end.stderr
