"""The end of a program that meets what nobody expected: what happened, what was changed, where the report is."""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import IO

import duckdb
import pytest
from click.testing import CliRunner, Result

from dippouch.command_line import command
from dippouch.commands.main import SECTIONS
from dippouch.errors import UserError
from dippouch.run_changes import say_changed
from support.keeper import Keeper, done
from support.programs import command_of, run_here
from support.seed_rows import contents
from support.small_builds import writing_into

# The programs that read a published database, and the words with which they do.
READERS = {"what-if": ["toby-harris", "--players", "9"], "verify": [], "player": ["toby-harris"], "ranking": []}


@pytest.fixture(autouse=True)
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of temporary files, where reports go."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


def ending(body: Callable[[], None], *arguments: str) -> Result:
    """Run a program that does this."""
    return CliRunner().invoke(command("body")(body), arguments)


def raising(error: BaseException, changed: str = "") -> Callable[[], None]:
    def body() -> None:
        if changed:
            say_changed(changed)
        raise error

    return body


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (ValueError("one\ntwo"), "ValueError: one two; nothing was changed"),
        (StopIteration(), "StopIteration; nothing was changed"),
        (MemoryError(), "MemoryError; nothing was changed"),
        (RecursionError("too deep"), "RecursionError: too deep; nothing was changed"),
        (
            PermissionError(13, "Permission denied", "/some/where"),
            "/some/where: Permission denied; nothing was changed",
        ),
        (duckdb.IOException("IO Error: gone"), "IOException: IO Error: gone; nothing was changed"),
        (ValueError("\x1b[2J [red]x[/]"), r"ValueError: \x1b[2J [red]x[/]; nothing was changed"),
        (ValueError("x " * 9999), "x ...; nothing was changed"),
    ],
)
def test_an_unexpected_error_is_a_message_and_a_report(error: Exception, said: str, temporary: Path) -> None:
    end = ending(raising(error))
    (report,) = temporary.iterdir()
    first, second = end.stderr.splitlines()
    assert first.startswith("error: ")
    assert first.endswith(said)
    assert str(report) in second
    assert (end.exit_code, end.stdout) == (1, "")
    assert "Traceback" not in end.output
    assert "Traceback" in report.read_text(encoding="utf-8")


def test_what_was_changed_before_is_said() -> None:
    assert (
        "ValueError: late; before that, seeds was changed\n"
        in ending(raising(ValueError("late"), "seeds was changed")).stderr
    )
    assert "stopped; before that, seeds was changed" in ending(raising(KeyboardInterrupt(), "seeds was changed")).stderr
    assert "nothing was changed" in ending(raising(ValueError("the next run"))).stderr


def test_debug_shows_the_traceback(temporary: Path) -> None:
    for error in (ValueError("odd"), UserError("mend it")):
        end = ending(raising(error), "--debug")
        assert (end.exit_code, "Traceback" in end.stderr, "in body" in end.stderr) == (1, True, True)
    assert not [*temporary.iterdir()]


def test_without_a_place_for_the_report_the_way_to_it_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "missing"))
    assert "With --debug the same command shows the traceback" in ending(raising(ValueError("odd"))).stderr


@pytest.mark.parametrize("name", [name for section in SECTIONS.values() for name, *_ in section])
def test_every_command_has_it_and_shows_an_example(name: str) -> None:
    end = run_here(name, "--help")
    assert end.returncode == 0
    assert "--debug" in end.stdout
    assert f"\n  dptr {name}" in end.stdout
    assert end.stdout.isascii()  # What a terminal of any encoding shows.


def test_an_import_that_fails_to_report_says_that_it_was_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    keeper = Keeper(tmp_path)

    def fail(*_: object, **__: object) -> None:
        raise ValueError("no report")

    monkeypatch.setattr("dippouch.commands.importing.print_report", fail)
    end = keeper.event("1,Ada,LOVELACE,\n2,Emmy,NOETHER,\n")
    assert end.returncode == 1
    assert f"ValueError: no report; before that, {keeper.seeds} was changed" in end.stderr
    assert len(keeper.rows("wdd/raw_results.csv")) == 2
    monkeypatch.setattr("dippouch.commands.importing.escape", fail)
    undone = run_here("undo", "--seeds", keeper.seeds)
    assert f"ValueError: no report; before that, the last change of {keeper.seeds} was taken back" in undone.stderr


def test_an_import_that_fails_before_says_that_nothing_was_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keeper = Keeper(tmp_path)
    done(keeper.event("1,Ada,LOVELACE,\n2,Emmy,NOETHER,\n"))

    def fail(*_: object, **__: object) -> None:
        raise ValueError("no collection")

    monkeypatch.setattr("dippouch.commands.importing.import_documents", fail)
    keeper.refuses(
        lambda: keeper.event("1,Ada,LOVELACE,\n", name="Other Cup"), "ValueError: no collection; nothing was changed"
    )


def test_a_full_disk_behind_the_output_is_a_message() -> None:
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        end = _process("duplicates", "--json", stdout=full)
    assert end.returncode == 1
    assert end.stderr.startswith("error: No space left on device; nothing was changed")
    assert "Exception ignored" not in end.stderr


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_what_may_not_be_read_is_a_message(tmp_path: Path) -> None:
    database = _database(tmp_path)
    database.parent.chmod(0)
    try:
        end = run_here("ranking", "--database", database)
    finally:
        database.parent.chmod(0o700)
    assert end.stderr.startswith(f"error: {database}: cannot be read (Permission denied)")


def _refused(*_: object, **__: object) -> None:
    raise PermissionError(13, "Permission denied")


@pytest.mark.parametrize("name", READERS)
def test_a_database_in_a_folder_that_may_not_be_read_is_a_message(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = _database(tmp_path)
    monkeypatch.setattr(type(database), "stat", _refused)
    end = run_here(name, "--database", database, *READERS[name])
    assert end.returncode == 1
    assert f"{database}: cannot be read (Permission denied)" in end.stderr or "could not be read" in end.stderr


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda path: None, "no such database; `make rankings` publishes it"),
        (lambda path: path.touch(), "cannot be read as a DuckDB database"),
        (lambda path: path.write_bytes(b"no database\n" * 9999), "cannot be read as a DuckDB database"),
        (lambda path: path.mkdir(), "is a directory"),
        (os.mkfifo, "is no file"),
    ],
)
@pytest.mark.parametrize("name", READERS)
def test_what_is_no_database_is_a_message(name: str, make: Callable[[Path], object], said: str, tmp_path: Path) -> None:
    path = tmp_path / "odd.duckdb"
    make(path)
    end = run_here(name, "--database", path, *READERS[name])
    assert end.returncode in (1, 2)
    assert said in end.stderr
    assert "Traceback" not in end.stderr


@pytest.mark.parametrize("name", READERS)
def test_a_program_that_writes_into_the_database_is_named(name: str, tmp_path: Path) -> None:
    database = _database(tmp_path)
    with writing_into(database) as writer:
        end = run_here(name, "--database", database, *READERS[name])
    assert end.returncode == 1
    assert f"{database}: found it open for writing in " in end.stderr
    assert f"(PID {writer.pid}); expected that nothing writes into it." in end.stderr


@pytest.mark.parametrize("damage", ["cut", "changed"])
@pytest.mark.parametrize("name", READERS)
def test_a_damaged_database_is_a_message(name: str, damage: str, published: Path, tmp_path: Path) -> None:
    content = bytearray(published.read_bytes())
    if damage == "cut":
        content = content[: len(content) // 4]
    else:
        content[12288::5000] = bytes(byte ^ 255 for byte in content[12288::5000])
    path = tmp_path / "damaged.duckdb"
    path.write_bytes(content)
    end = run_here(name, "--database", path, *READERS[name])
    assert end.returncode == 1
    assert end.stderr.startswith("error: ")
    assert "Where in the program" not in end.stderr


def test_read_only_seeds_and_database_serve_those_who_read(published: Path, tmp_path: Path) -> None:
    database = tmp_path / "rankings.duckdb"
    database.write_bytes(published.read_bytes())
    database.chmod(0o444)
    tmp_path.chmod(0o555)
    try:
        before = contents(tmp_path)
        done(run_here("ranking", "--database", database))
        done(run_here("what-if", "toby-harris", "--players", "9", "--database", database))
        done(run_here("verify", "--database", database))
        assert contents(tmp_path) == before
    finally:
        tmp_path.chmod(0o755)


@pytest.mark.parametrize(
    "words",
    [
        ("what-if", "toby-harris", "--players", "20", "--rounds", "9" * 30),
        ("what-if", "toby-harris", "--players", "9" * 30),
        ("what-if", "toby-harris", "--players", "20", "--placement", "9" * 30),
        ("what-if", "toby-harris", "--players", "20", "--on", "0001-01-01"),
        ("what-if", "toby-harris", "--players", "20", "--on", "99999-01-01"),
        ("refresh", "--top", "9" * 30),
        ("ranking", "--top", "9" * 30),
        ("ranking", "--year", "9" * 30),
        ("duplicates", "--limit", "9" * 5000),
    ],
)
def test_an_absurd_number_is_refused(words: tuple[str, ...], published: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DPTR_WAREHOUSE", str(published.parent))
    name, *arguments = words
    end = run_here(name, *arguments)
    assert end.returncode in (1, 2)
    assert "rror: " in end.stderr
    assert "Where in the program" not in end.stderr


@pytest.mark.parametrize("fact", ["players", "rounds", "boards"])
def test_an_absurd_fact_is_rejected(fact: str, tmp_path: Path) -> None:
    keeper = Keeper(tmp_path)
    facts = {"players": "20", "rounds": "3", "boards": "2"} | {fact: "9" * 30}
    options = [word for name, value in facts.items() for word in (f"--{name}", value)]
    end = keeper.imports(
        "placement,first_name,last_name\n1,Ada,LOVELACE\n", "--name", "Cup", "--date", "2010-05-01", *options
    )
    assert end.returncode in (1, 2)
    assert "Where in the program" not in end.stderr


def _database(folder: Path) -> Path:
    path = folder / "rankings.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute("create schema marts")
    return path


def _process(name: str, *words: str, stdout: IO[str]) -> subprocess.CompletedProcess[str]:
    command = [*command_of(name), *words]
    environment = {**os.environ, "TMPDIR": tempfile.gettempdir()}
    return subprocess.run(command, stdout=stdout, stderr=subprocess.PIPE, text=True, check=False, env=environment)
