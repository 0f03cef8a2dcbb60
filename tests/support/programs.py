"""Run the programs as a person does, here or in a copy of the project."""

from __future__ import annotations

import importlib
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO
from unittest.mock import patch

import click
from click.testing import CliRunner

from dippouch.commands.main import main as dptr_command
from dippouch.settings import PROJECT

Done = subprocess.CompletedProcess[str]


def run_program(name: str, *arguments: str | Path, stdin: str = "", **settings: str | Path) -> Done:
    """Run a program to its end: in this process, unless it needs input or settings, or starts a shell.

    Args:
        name: a subcommand of `dptr`, or the path of another program in the project.
        arguments: its arguments.
        stdin: the content of its standard input.
        settings: environment variables, such as DPTR_SEEDS.
    """
    if not settings and not stdin and name != "sql" and "/" not in name:
        return run_here(name, *arguments)
    return _run([*command_of(name), *arguments], PROJECT, {"PYTHONPATH": PROJECT / "scripts", **settings}, stdin)


def done(ended: Done) -> str:
    """Return what a program printed, after a check that it succeeded."""
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return ended.stdout + ended.stderr


def command_of(name: str) -> list[str]:
    """Return the command that starts a program: a subcommand of `dptr`, or a path."""
    return [sys.executable, *([str(PROJECT / name)] if name.endswith(".py") else ["-m", "dippouch", name])]


def run_dbt(*arguments: str | Path, project: Path = PROJECT, **settings: str | Path) -> Done:
    """Run dbt to its end, without the settings of the current environment."""
    return _run([Path(sys.executable).with_name("dbt"), *arguments], project, settings)


def run_here(name: str, *arguments: str | Path) -> Done:
    """Run a subcommand of `dptr`, or a program beside it, in this process, which is faster."""
    words = [str(argument) for argument in arguments]
    main: click.Command = dptr_command
    if name.endswith(".py"):
        main = importlib.import_module(name.removesuffix(".py")).main
    else:
        words = [name, *words]
    # A command that ended ignores Ctrl-C; this process does not.
    with patch("sys.argv", ["dptr", *words]), patch("signal.signal"):
        end = CliRunner().invoke(main, words, prog_name="dptr", catch_exceptions=False)
    return Done(words, end.exit_code, end.stdout, end.stderr)


def start_program(name: str, *arguments: str | Path, **settings: str | Path) -> subprocess.Popen[str]:
    """Start a program without waiting for it, in a process group of its own, as a shell does."""
    command = [*command_of(name), *map(str, arguments)]
    pipe = subprocess.PIPE
    return subprocess.Popen(
        command, cwd=PROJECT, env=environment(settings), stdout=pipe, stderr=pipe, text=True, start_new_session=True
    )


@contextmanager
def started(
    command: Sequence[str | Path], settings: Mapping[str, str | Path], output: int | IO[bytes]
) -> Iterator[subprocess.Popen[bytes]]:
    """Yield a process in a group of its own, with settings as in `environment`; at the end kill the whole group."""
    with subprocess.Popen(
        command,
        cwd=PROJECT,
        env=environment(settings),
        stdin=subprocess.DEVNULL,
        stdout=output,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    ) as process:
        try:
            yield process
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)


def _run(command: Sequence[str | Path], project: Path, settings: Mapping[str, str | Path], stdin: str = "") -> Done:
    words = [str(word) for word in command]
    return subprocess.run(
        words, cwd=project, env=environment(settings), input=stdin, capture_output=True, text=True, check=False
    )


def environment(settings: Mapping[str, str | Path]) -> dict[str, str]:
    """Return the environment of a program: the current one without settings of the project, with the given ones."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("DPTR_", "DBT_"))}
    return kept | {name: str(value) for name, value in settings.items()}


def copy_of_the_project(target: Path) -> Path:
    """Copy the files that dbt, the programs and the wheel need, so that a test can change them."""
    for name in ("models", "macros", "seeds", "scripts", "tests/dbt", "docs", "dashboard/live/src"):
        shutil.copytree(PROJECT / name, target / name)
    for folder in (PROJECT, PROJECT / "dashboard" / "live"):
        for path in (path for path in folder.iterdir() if path.is_file()):
            shutil.copy(path, target / path.relative_to(PROJECT))
    (target / "warehouse").mkdir()
    return target
