"""Every error is a message and an exit code, and says what was changed; printed text never drives a terminal."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from unittest.mock import patch

import click
import pytest
from click.testing import CliRunner, Result

from dippouch.command_line import Command
from dippouch.console import err, out, table_of
from dippouch.messages import durable_changes
from support.programs import run_here

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


def ending(error: BaseException, changed: str = "") -> Result:
    """Run a command that ends with an error, after a change if `changed` is given."""

    def body() -> None:
        if changed:
            durable_changes.append(changed)
        raise error

    with patch("signal.signal"):
        return CliRunner().invoke(click.command("body", cls=Command)(body))


@pytest.mark.parametrize(
    ("error", "said", "code"),
    [
        (ValueError("one\ntwo"), "ValueError: one two; nothing was changed", 3),
        (PermissionError(13, "Permission denied", "/a/place"), "/a/place: Permission denied; nothing was changed", 1),
        (ValueError("\x1b[2J [red]x[/]"), r"ValueError: \x1b[2J [red]x[/]; nothing was changed", 3),
    ],
)
def test_an_unexpected_error_is_a_message(error: Exception, said: str, code: int) -> None:
    end = ending(error)
    assert re.sub(r" \(test_errors\.py:\d+; DPTR_DEBUG=1 shows the traceback\)", "", end.stderr) == f"error: {said}\n"
    assert (end.exit_code, end.stdout) == (code, "")


def test_what_was_changed_before_is_said() -> None:
    said = "; before that, seeds was changed\n"
    assert said in ending(ValueError("late"), "seeds was changed").stderr
    for stop in (KeyboardInterrupt(), RuntimeError("Query interrupted")):
        stopped = ending(stop, "seeds was changed")
        assert (stopped.exit_code, stopped.stderr) == (130, "stopped; before that, seeds was changed\n")
    assert "nothing was changed" in ending(ValueError("the next run")).stderr


# A command that gets a signal during its work, or when that is done.
STOPPED = """
import os, signal, sys, click
from dippouch.command_line import Command
signal.signal(signal.SIGINT, signal.default_int_handler)
@click.command(cls=Command)
def body():
    if sys.argv.pop() == "late":
        click.get_current_context().call_on_close(lambda: os.kill(os.getpid(), signal.SIGINT))
    else:
        os.kill(os.getpid(), signal.SIGTERM)
body([])
"""


@pytest.mark.parametrize(("when", "code", "said"), [("late", 0, ""), ("early", 143, "stopped; nothing was changed\n")])
def test_a_signal_stops_a_command_and_a_late_one_changes_nothing(when: str, code: int, said: str) -> None:
    end = subprocess.run([sys.executable, "-c", STOPPED, when], capture_output=True, text=True, check=False)
    assert (end.returncode, end.stdout, end.stderr) == (code, "", said)


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda path: None, "no such database; `dptr refresh` publishes it"),
        (lambda path: path.write_bytes(b"no database\n" * 9999), "expected a DuckDB database"),
        (lambda path: path.mkdir(), "is a directory"),
        (os.mkfifo, "no such database"),
    ],
)
@pytest.mark.parametrize("name", READERS)
def test_what_is_no_database_is_a_message(name: str, make: Callable[[Path], object], said: str, tmp_path: Path) -> None:
    path = tmp_path / "odd.duckdb"
    make(path)
    end = run_here(name, "--database", path, *READERS[name])
    assert end.returncode in (1, 2)
    assert said in end.stderr
    assert "raceback" not in end.stderr


@pytest.mark.parametrize(
    "words",
    [
        ("what-if", "toby-harris", "--players", "9" * 30),
        ("sql", "--database", "no\udcff"),
        ("sql", "--database", "back\\slash"),
        ("distinct", "\udcff", "\udcfe", "--reason", "\udcff"),
    ],
)
def test_odd_words_on_the_command_line_are_refused(
    words: tuple[str, ...], published: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DPTR_WAREHOUSE", str(published.parent))
    monkeypatch.chdir(tmp_path)
    end = run_here(*words)
    assert end.returncode in (1, 2), end.stdout
    assert "rror: " in end.stderr
    assert ".py:" not in end.stderr
    assert not {"\x1b", "\udcff"} & {*end.stderr}


def test_a_misspelt_subcommand_is_suggested() -> None:
    end = run_here("rankings")
    assert (end.returncode, end.stdout) == (2, "")
    assert "Did you mean 'ranking'?" in end.stderr


def test_whatever_the_console_prints_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    out.print(table_of([{"key": f":x: cell{ORDERS}"}], {f"head{ORDERS}": "key"}))
    err.print(f"[bold]:x: message[/]{ORDERS}")
    printed = capsys.readouterr()
    assert [line.rstrip() for line in printed.out.splitlines()] == [f"head{SHOWN}", f":x: cell{SHOWN}"]
    assert printed.err == f":x: message{SHOWN}\n"
