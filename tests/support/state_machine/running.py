"""Running the programs inside this process, which takes milliseconds where a process of their own takes a second."""

from __future__ import annotations

import traceback
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.util import module_from_spec, spec_from_file_location

import click
from click.testing import CliRunner

from dippouch.settings import PROJECT
from support.programs import run_program

# So much of a traceback is shown.
_FRAMES = 4


@dataclass(frozen=True)
class Done:
    """How a program ended: its exit code, all that it printed, and the traceback of what it did not expect."""

    exit_code: int
    output: str
    crash: str = ""


@cache
def program(name: str) -> click.Command:
    """The command of a program in scripts/."""
    spec = spec_from_file_location(f"program_{name}", PROJECT / "scripts" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    command: click.Command = module.main
    return command


def takes(name: str, option: str, command: str = "") -> bool:
    """Whether a program, or a command of it, has an option."""
    return bool(_parameters(name, option, command))


def needs(name: str, option: str, command: str = "") -> bool:
    """Whether a program, or a command of it, cannot do without an option."""
    return any(parameter.required for parameter in _parameters(name, option, command))


def _parameters(name: str, option: str, command: str) -> list[click.Parameter]:
    main = program(name)
    if command:
        known = main.commands if isinstance(main, click.Group) else {}
        if command not in known:
            return []
        main = known[command]
    return [parameter for parameter in main.params if option in parameter.opts]


def run_here(name: str, arguments: Sequence[str]) -> Done:
    """Run a program in this process."""
    # The consoles print to what `sys.stdout` and `sys.stderr` are at that moment, which the runner replaces.
    done = CliRunner().invoke(program(name), list(arguments), prog_name=name)
    error = done.exception
    crash = (
        ""
        if error is None or isinstance(error, SystemExit)
        else "".join(traceback.format_exception(error, limit=-_FRAMES))
    )
    return Done(done.exit_code, done.output, crash)


def run_apart(name: str, arguments: Sequence[str]) -> Done:
    """Run a program in a process of its own, as a person does."""
    done = run_program(f"{name}.py", *arguments)
    output = done.stdout + done.stderr
    return Done(done.returncode, output, output if "Traceback" in output else "")
