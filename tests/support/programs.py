"""Running the programs as a person does, here or in a copy of the project."""

from __future__ import annotations

import importlib
import io
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import click

from dippouch.commands.main import main as dptr_command
from dippouch.settings import PROJECT

Done = subprocess.CompletedProcess[str]


def run_program(name: str, *arguments: str | Path, project: Path = PROJECT, **settings: str | Path) -> Done:
    """Run a program to its end: in this process, unless it is another project's or has settings of its own.

    Args:
        name: its file name in scripts/, or a path from the project for a program elsewhere.
        arguments: what stands behind it on the command line.
        project: the project whose program it is.
        settings: environment variables, such as DPTR_SEEDS.
    """
    if project == PROJECT and not settings and "/" not in name:
        return run_here(name, *arguments)
    return _run([sys.executable, _path(name, project), *arguments], project, settings)


def run_dptr(*arguments: str | Path, project: Path = PROJECT, stdin: str = "", **settings: str | Path) -> Done:
    """Run the command `dptr` of a project to its end in a process of its own.

    Args:
        arguments: the words after `dptr`.
        project: the project whose command it is.
        stdin: what it reads from standard input.
        settings: environment variables, such as DPTR_SEEDS.
    """
    words = [sys.executable, "-m", "dippouch", *arguments]
    return _run(words, project, {"PYTHONPATH": project / "scripts", **settings}, stdin)


def run_dbt(*arguments: str | Path, project: Path = PROJECT, **settings: str | Path) -> Done:
    """Run dbt to its end, without the settings of whoever runs the tests."""
    return _run([Path(sys.executable).with_name("dbt"), *arguments], project, settings)


def run_here(name: str, *arguments: str | Path) -> Done:
    """Run a program of scripts/ to its end in this process, which saves the second that a process takes to start."""
    words = [str(argument) for argument in arguments]
    if name == "dptr":
        main: click.Command = dptr_command
    else:
        main = importlib.import_module(name.removesuffix(".py")).main
    told, faults = io.StringIO(), io.StringIO()
    code: object = 0
    with redirect_stdout(told), redirect_stderr(faults):
        try:
            main(words, prog_name=name)
        except SystemExit as end:
            code = end.code or 0
    assert isinstance(code, int)
    return Done([name, *words], code, told.getvalue(), faults.getvalue())


# Which program has a command, and how it is called there.
_COMMANDS = {
    "import": ("import_results.py",),
    "undo": ("import_results.py", "--undo"),
    "duplicates": ("review_players.py",),
    "merge": ("review_players.py", "--same"),
    "distinct": ("review_players.py", "--different"),
    "split": ("review_players.py", "--split"),
    "forget": ("review_players.py", "--forget"),
    **{name: ("edit_tournament.py", name) for name in ("correct", "revert", "withdraw", "restore", "history")},
    "refresh": ("refresh_rankings.py",),
}


def dptr_words(command: str, *arguments: str | Path) -> list[str]:
    """The program in scripts/ that has a command of `dptr`, and its arguments."""
    return [*_COMMANDS[command], *map(str, arguments)]


def dptr(command: str, *arguments: str | Path) -> Done:
    """Run a command of `dptr` in this process."""
    return run_here(*dptr_words(command, *arguments))


def start_program(name: str, *arguments: str | Path, **settings: str | Path) -> subprocess.Popen[str]:
    """Start a program without waiting for it."""
    command = map(str, [sys.executable, _path(name, PROJECT), *arguments])
    pipe = subprocess.PIPE
    return subprocess.Popen([*command], cwd=PROJECT, env=environment(settings), stdout=pipe, stderr=pipe, text=True)


def _run(command: Sequence[str | Path], project: Path, settings: Mapping[str, str | Path], stdin: str = "") -> Done:
    words = [str(word) for word in command]
    return subprocess.run(
        words, cwd=project, env=environment(settings), input=stdin, capture_output=True, text=True, check=False
    )


def _path(name: str, project: Path) -> Path:
    return project / name if "/" in name else project / "scripts" / name


def environment(settings: Mapping[str, str | Path]) -> dict[str, str]:
    """The environment of a program: without the settings of whoever runs the tests, and with these."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("DPTR_", "DBT_"))}
    return kept | {name: str(value) for name, value in settings.items()}


def copy_of_the_project(target: Path) -> Path:
    """Copy what dbt and the programs need, to change it."""
    for name in ("models", "macros", "seeds", "scripts", "tests/dbt", "docs/dbt"):
        shutil.copytree(PROJECT / name, target / name)
    for name in ("dbt_project.yml", "profiles.yml", "pyproject.toml"):
        shutil.copyfile(PROJECT / name, target / name)
    (target / "warehouse").mkdir()
    return target
