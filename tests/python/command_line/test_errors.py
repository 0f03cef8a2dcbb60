"""Every error is a message and an exit code, and says what was changed; printed text never drives a terminal."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path

import duckdb
import pytest
from click.testing import CliRunner, Result

from dippouch.__main__ import main as start
from dippouch.command_line import command
from dippouch.console import err, out, plain_table
from dippouch.errors import UserError
from dippouch.run_changes import say_changed
from support.keeper import Keeper, done
from support.programs import command_of, run_here
from support.seed_rows import contents
from support.small_builds import writing_into

# The subcommands that read a published file, with their required arguments.
READERS = {
    "what-if": ["toby-harris", "--players", "9"],
    "verify": [],
    "player": ["toby-harris"],
    "ranking": [],
    "sql": ["select 1"],
    "site": [],
}
# Clears the screen, returns to the start of the line, and reverses the writing direction.
ORDERS = "\x1b[2J\r\u202e\x9b31m"
SHOWN = r"\x1b[2J\r\u202e\x9b31m"
ASCII_ONLY = {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii"}
HUGE = "9" * 30


@pytest.fixture(autouse=True)
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of temporary files, which receives reports."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


def ending(error: BaseException, *arguments: str, changed: str = "") -> Result:
    """Run a command that ends with an error, after a change if `changed` is given."""

    def body() -> None:
        if changed:
            say_changed(changed)
        raise error

    return CliRunner().invoke(command("body")(body), arguments)


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (ValueError("one\ntwo"), "ValueError: one two; nothing was changed"),
        (MemoryError(), "MemoryError; nothing was changed"),
        (PermissionError(13, "Permission denied", "/a/place"), "/a/place: Permission denied; nothing was changed"),
        (ValueError("\x1b[2J [red]x[/]"), r"ValueError: \x1b[2J [red]x[/]; nothing was changed"),
        (ValueError("x " * 9999), "x ...; nothing was changed"),
    ],
)
def test_an_unexpected_error_is_a_message_and_a_report(error: Exception, said: str, temporary: Path) -> None:
    end = ending(error)
    (report,) = temporary.iterdir()
    first, second = end.stderr.splitlines()
    assert first.startswith("error: ")
    assert first.endswith(said)
    assert str(report) in second
    assert (end.exit_code, end.stdout, "Traceback" in end.output) == (1, "", False)
    assert "Traceback" in report.read_text(encoding="utf-8")


def test_what_was_changed_before_is_said() -> None:
    assert (
        "ValueError: late; before that, seeds was changed\n"
        in ending(ValueError("late"), changed="seeds was changed").stderr
    )
    for stop in (KeyboardInterrupt(), RuntimeError("Query interrupted")):
        stopped = ending(stop, changed="seeds was changed")
        assert (stopped.exit_code, stopped.stderr) == (130, "stopped; before that, seeds was changed\n")
    assert "nothing was changed" in ending(ValueError("the next run")).stderr


def test_ctrl_c_while_modules_are_imported_is_a_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def stop(_: str) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("dippouch.__main__.import_module", stop)
    with pytest.raises(SystemExit) as end:
        start()
    assert (end.value.code, capsys.readouterr().err) == (130, "stopped; nothing was changed\n")


def test_debug_shows_the_traceback(temporary: Path) -> None:
    for error in (ValueError("odd"), UserError("mend it")):
        end = ending(error, "--debug")
        assert (end.exit_code, "Traceback" in end.stderr, "in body" in end.stderr) == (1, True, True)
    assert not [*temporary.iterdir()]
    # Without a folder for the report, the message names --debug.
    temporary.rmdir()
    assert "With --debug the same command shows the traceback" in ending(ValueError("odd")).stderr


@pytest.mark.parametrize(("failing", "changed"), [("print_report", True), ("import_documents", False)])
def test_an_import_that_fails_says_whether_it_was_made(
    failing: str, changed: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keeper = Keeper(tmp_path)
    done(keeper.event("1,Ada,LOVELACE,\n"))

    def fail(*_: object, **__: object) -> None:
        raise ValueError("odd")

    monkeypatch.setattr(f"dippouch.commands.importing.{failing}", fail)
    end = keeper.event("1,Emmy,NOETHER,\n", name="Other Cup")
    said = f"before that, {keeper.seeds} was changed" if changed else "nothing was changed"
    assert (end.returncode, f"ValueError: odd; {said}" in end.stderr) == (1, True)
    assert len(keeper.tournaments()) == 1 + changed


def test_a_full_disk_behind_the_output_is_a_message() -> None:
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        words = [*command_of("duplicates"), "--json"]
        end = subprocess.run(words, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert end.returncode == 1
    assert end.stderr.startswith("error: No space left on device; nothing was changed")
    assert "Exception ignored" not in end.stderr


def cut(path: Path, published: Path) -> None:
    path.write_bytes(published.read_bytes()[: published.stat().st_size // 4])


def scribbled(path: Path, published: Path) -> None:
    content = bytearray(published.read_bytes())
    content[12288::5000] = bytes(byte ^ 255 for byte in content[12288::5000])
    path.write_bytes(content)


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda path, _: None, "no such database; `make rankings` publishes it"),
        (lambda path, _: path.write_bytes(b"no database\n" * 9999), "cannot be read as a DuckDB database"),
        (lambda path, _: path.mkdir(), "is a directory"),
        (lambda path, _: os.mkfifo(path), "no such database"),
        (cut, "error: "),
        (scribbled, "error: "),
    ],
)
@pytest.mark.parametrize("name", READERS)
def test_what_is_no_database_is_a_message(
    name: str, make: Callable[[Path, Path], object], said: str, published: Path, tmp_path: Path
) -> None:
    if name == "sql" and make in (cut, scribbled):
        return  # The shell reads only as much of a file as it needs.
    path = tmp_path / "odd.duckdb"
    make(path, published)
    end = run_here(name, "--database", path, *READERS[name])
    assert end.returncode in (1, 2)
    assert said in end.stderr
    assert "Traceback" not in end.stderr
    assert "The traceback is in" not in end.stderr


@pytest.mark.parametrize("name", READERS)
def test_a_database_that_another_program_writes_is_a_message(name: str, tmp_path: Path) -> None:
    database = tmp_path / "rankings.duckdb"
    with duckdb.connect(str(database)) as connection:
        connection.execute("create schema marts")
    with writing_into(database) as writer:
        end = run_here(name, "--database", database, *READERS[name])
    assert end.returncode == 1
    assert f"{database}: found it open for writing in " in end.stderr
    assert f"(PID {writer.pid}); expected no program that writes into it." in end.stderr


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A collection of one tournament of two people. Read-only."""
    keeper = Keeper(tmp_path_factory.mktemp("kept"))
    done(keeper.event("1,Ada,LOVELACE,\n2,Emmy,NOETHER,\n"))
    return keeper.seeds


@pytest.mark.parametrize(
    "words",
    [
        ("what-if", "toby-harris", "--players", HUGE),
        ("refresh", "--top", HUGE),
        ("duplicates", "--limit", HUGE * 200),
        ("ranking", "--nation", "\udcff"),
        ("what-if", "toby-harris", "--players", "9", "--kind", "\udcff"),
        ("verify", "--seeds", "no\udcff"),
        ("sql", "--database", "no\udcff"),
        ("distinct", "\udcff", "\udcfe", "--reason", "\udcff"),
        ("ranking", f"--{ORDERS}"),
        ("what-if", ORDERS, "--players", ORDERS),
        ("import", "--as", ORDERS),
        (ORDERS,),
    ],
)
def test_odd_words_on_the_command_line_are_refused(
    words: tuple[str, ...], published: Path, kept: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DPTR_WAREHOUSE", str(published.parent))
    monkeypatch.setenv("DPTR_SEEDS", str(kept))
    monkeypatch.chdir(tmp_path)
    before = contents(kept)
    end = run_here(*words)
    assert end.returncode in (1, 2), end.stdout
    assert "rror: " in end.stderr
    assert "The traceback is in" not in end.stderr
    assert not {"\x1b", "\udcff"} & {*end.stderr}
    assert contents(kept) == before


def test_whatever_the_console_prints_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    table = plain_table(f"head{ORDERS}")
    table.add_row(f"cell{ORDERS}")
    out.print(table)
    err.print(f"[bold]message[/]{ORDERS}")
    told = capsys.readouterr()
    assert [line.rstrip() for line in told.out.splitlines()] == [f"{word}{SHOWN}" for word in ("head", "cell")]
    assert told.err == f"message{SHOWN}\n"


def test_a_file_name_that_forges_a_message_is_shown_on_its_line(tmp_path: Path) -> None:
    name = f"a{ORDERS}\nerror: all is lost.csv"
    end = Keeper(tmp_path).imports("no table\n", name=name)
    assert end.returncode == 1
    assert "\x1b" not in end.stdout + end.stderr
    assert rf"a{SHOWN}\nerror: all is lost.csv: found a name with the character U+001B" in end.stderr


def test_a_terminal_of_ascii_only_shows_escapes_and_programs_read_utf8(published: Path) -> None:
    def run(*words: str | bytes | Path) -> subprocess.CompletedProcess[bytes]:
        name, *arguments = words
        command = [*command_of(str(name)), *arguments]
        return subprocess.run(command, capture_output=True, check=False, env=os.environ | ASCII_ONLY)

    told = run("player", "--database", published, "von-knorring")
    assert (told.returncode, b"Bj\\xf6rn" in told.stdout) == (0, True)
    told = run("player", "--database", published, "--json", "von-knorring")
    assert json.loads(told.stdout.decode())["first_name"] == "Björn"
    end = run("import", b"no\xff.csv")
    assert (end.returncode, b"no\\udcff.csv" in end.stderr, b"Traceback" in end.stderr) == (1, True, False)
